#include "tagging/word_features.h"

#include "features/hashing.h"
#include "features/word_attributes.h"
#include "text/letter_case.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Every template has a number of its own, which ends up in model files through the hashes of its features:
// old ones keep theirs, new ones are added at the end.
enum Template : std::uint64_t {
  kBias = 1,
  kForm,
  kLower,
  kShape,
  kKinds,
  kPrefix,                    // and the next four: by length
  kSuffix = kPrefix + 5,      // and the next four
  kLowerAt = kSuffix + 5,     // and the next four: positions -2 to 2
  kSuffix2At = kLowerAt + 5,  // and the next two: positions -1 to 1
  kSuffix3At = kSuffix2At + 3,
  kShapeAt = kSuffix3At + 3,
  kPairBefore = kShapeAt + 3,
  kPairAfter,
  kPairAround,
  kPairBeforeThat,
  kPairAfterThat,
  kSuffixAndBefore,
  kSuffixAndAfter,
  kSuffixAndSuffixBefore,
  kSuffixAndSuffixAfter,
  kSuffix2AndShape,
  kSuffix3AndShape,
  kTag,
  kTagForm,
  kTagLower,
  kTagShape,
  kTagPrefix,
  kTagSuffix = kTagPrefix + 5,
  kTagBefore = kTagSuffix + 5,
  kTagAfter,
  kTagPairBefore,
  kTagPairAfter,
  kTagTriple,
  kTagBeforeLower,
  kTagAfterLower,
  kTagWordBefore,
  kTagWordAfter,
  kKeyForm,
  kKeyLower,
  kKeyTagLower,
  kKeyTag,
};

constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;

std::uint64_t feature(std::uint64_t number, std::uint64_t a) { return mix(a + number * kFactor); }
std::uint64_t feature(std::uint64_t number, std::uint64_t a, std::uint64_t b) {
  return mix(mix(a + number * kFactor) + b);
}
std::uint64_t feature(std::uint64_t number, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix(mix(mix(a + number * kFactor) + b) + c);
}

constexpr WordTraits kOutside = {.form = 1, .lower = 1, .shape = 1, .suffixes = {0, 1, 1, 0, 0}};
constexpr std::uint64_t kTagOutside = 1;

const WordTraits& word_at(std::span<const WordTraits> words, std::ptrdiff_t position) {
  const bool is_inside = position >= 0 && position < static_cast<std::ptrdiff_t>(words.size());
  return is_inside ? words[static_cast<std::size_t>(position)] : kOutside;
}

std::uint64_t tag_at(std::span<const std::uint64_t> tags, std::ptrdiff_t position) {
  const bool is_inside = position >= 0 && position < static_cast<std::ptrdiff_t>(tags.size());
  return is_inside ? tags[static_cast<std::size_t>(position)] : kTagOutside;
}

void add_affixes(std::uint64_t number, const std::array<std::uint64_t, WordTraits::kAffixes>& affixes,
                 int first, int last, SequenceObservations& out) {
  for (int length = first; length <= last; ++length) {
    const std::uint64_t affix = affixes[static_cast<std::size_t>(length) - 1];
    if (affix == 0) break;
    out.add(feature(number + static_cast<std::uint64_t>(length) - 1, affix));
  }
}

// What a word says about itself, most of it.
void add_word(const WordTraits& word, SequenceObservations& out) {
  out.add(feature(kBias, 0));
  out.add(feature(kLower, word.lower));
  if (word.form != word.lower) out.add(feature(kForm, word.form));
  out.add(feature(kShape, word.shape));
  add_affixes(kSuffix, word.suffixes, 1, 4, out);
  add_affixes(kPrefix, word.prefixes, 1, 2, out);
}

void observe_first_layer(std::span<const WordTraits> words, SequenceObservations& out) {
  for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(words.size()); ++t) {
    const WordTraits& word = word_at(words, t);
    const WordTraits& before = word_at(words, t - 1);
    const WordTraits& after = word_at(words, t + 1);
    const WordTraits& before_that = word_at(words, t - 2);
    const WordTraits& after_that = word_at(words, t + 2);
    add_word(word, out);
    out.add(feature(kLowerAt + 1, before.lower));
    out.add(feature(kLowerAt + 3, after.lower));
    out.end_coarse();
    add_affixes(kSuffix + 4, {word.suffixes[4]}, 1, 1, out);
    add_affixes(kPrefix + 2, {word.prefixes[2], word.prefixes[3], word.prefixes[4]}, 1, 3, out);
    out.add(feature(kSuffix2AndShape, word.suffixes[1], word.shape));
    out.add(feature(kSuffix3AndShape, word.suffixes[2], word.shape));
    out.add(feature(kKinds, word.kinds, t == 0 ? 1 : 0));
    out.add(feature(kLowerAt, before_that.lower));
    out.add(feature(kLowerAt + 4, after_that.lower));
    out.add(feature(kPairBefore, before.lower, word.lower));
    out.add(feature(kPairAfter, word.lower, after.lower));
    out.add(feature(kPairAround, before.lower, after.lower));
    out.add(feature(kPairBeforeThat, before_that.lower, before.lower));
    out.add(feature(kPairAfterThat, after.lower, after_that.lower));
    out.add(feature(kShapeAt, before.shape));
    out.add(feature(kShapeAt + 2, after.shape));
    out.add(feature(kSuffix2At, before.suffixes[1]));
    out.add(feature(kSuffix2At + 2, after.suffixes[1]));
    out.add(feature(kSuffix3At, before.suffixes[2]));
    out.add(feature(kSuffix3At + 2, after.suffixes[2]));
    out.add(feature(kSuffixAndBefore, word.suffixes[2], before.lower));
    out.add(feature(kSuffixAndAfter, word.suffixes[2], after.lower));
    out.add(feature(kSuffixAndSuffixBefore, word.suffixes[2], before.suffixes[1]));
    out.add(feature(kSuffixAndSuffixAfter, word.suffixes[2], after.suffixes[1]));
    out.end_position({feature(kKeyForm, word.form), feature(kKeyLower, word.lower)});
  }
}

void observe_later_layer(std::span<const WordTraits> words, std::span<const std::uint64_t> tags,
                         SequenceObservations& out) {
  for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(words.size()); ++t) {
    const WordTraits& word = word_at(words, t);
    const WordTraits& before = word_at(words, t - 1);
    const WordTraits& after = word_at(words, t + 1);
    const std::uint64_t tag = tag_at(tags, t);
    const std::uint64_t tag_before = tag_at(tags, t - 1);
    const std::uint64_t tag_after = tag_at(tags, t + 1);
    add_word(word, out);
    out.add(feature(kTag, tag));
    out.add(feature(kTagLower, tag, word.lower));
    if (word.form != word.lower) out.add(feature(kTagForm, tag, word.form));
    out.add(feature(kTagShape, tag, word.shape));
    for (std::size_t k = 0; k < WordTraits::kAffixes; ++k) {
      if (word.suffixes[k] != 0) out.add(feature(kTagSuffix + k, tag, word.suffixes[k]));
      if (word.prefixes[k] != 0 && k < 3) out.add(feature(kTagPrefix + k, tag, word.prefixes[k]));
    }
    out.end_coarse();
    out.add(feature(kTagBefore, tag_before));
    out.add(feature(kTagAfter, tag_after));
    out.add(feature(kTagPairBefore, tag, tag_before));
    out.add(feature(kTagPairAfter, tag, tag_after));
    out.add(feature(kTagTriple, tag, tag_before, tag_after));
    out.add(feature(kTagBeforeLower, tag_before, word.lower));
    out.add(feature(kTagAfterLower, tag_after, word.lower));
    out.add(feature(kTagWordBefore, tag, before.lower));
    out.add(feature(kTagWordAfter, tag, after.lower));
    out.end_position({feature(kKeyTagLower, tag, word.lower), feature(kKeyTag, tag)});
  }
}

std::uint64_t kinds_of(std::string_view form) {
  std::uint64_t kinds = 0;
  bool is_first = true;
  for (std::string_view rest = form; !rest.empty(); is_first = false) {
    const char32_t character = take_character(rest);
    if (character >= U'0' && character <= U'9') kinds |= 1;
    if (character == U'-') kinds |= 2;
    if (is_upper(character)) kinds |= is_first ? 4 : 8;
    if (character != to_upper(character)) kinds |= 16;
    if (character >= 0x80) kinds |= 32;
  }
  return kinds;
}

}  // namespace

WordTraits WordReader::read(std::string_view form) {
  lower_text(form, lower_);
  WordTraits word;
  word.form = hash_text(form);
  word.lower = hash_text(lower_);
  word.shape = word_shape(form);
  word.kinds = kinds_of(form);
  const std::string_view lower = lower_;
  std::size_t end = 0;
  std::size_t begin = lower.size();
  for (std::size_t k = 0; k < WordTraits::kAffixes && end < lower.size(); ++k) {
    do ++end;
    while (end < lower.size() && continues_character(lower[end]));
    do --begin;
    while (begin > 0 && continues_character(lower[begin]));
    word.prefixes[k] = hash_text(lower.substr(0, end));
    word.suffixes[k] = hash_text(lower.substr(begin));
  }
  return word;
}

void WordReader::read(const Sentence& sentence, std::vector<WordTraits>& words) {
  words.clear();
  for (const Token& word : sentence.words()) words.push_back(read(word.form()));
}

void observe_words(std::span<const WordTraits> words, std::span<const std::uint64_t> tags,
                   SequenceObservations& observations) {
  observations.clear();
  if (tags.empty())
    observe_first_layer(words, observations);
  else
    observe_later_layer(words, tags, observations);
}

}  // namespace copse
