#include "pretraining/encoder_text.h"

#include <algorithm>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "features/hashing.h"
#include "network/word_inputs.h"
#include "network/word_units.h"
#include "text/letter_case.h"
#include "vectors/word_vectors.h"

namespace copse {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

EncoderText::EncoderText(const std::string& folder, const NetworkShape& shape,
                         std::size_t most_different_forms)
    : file_(folder), shape_(shape), texts_(most_different_forms), extra_(most_different_forms) {}

void EncoderText::add(std::string_view form) {
  std::optional<std::uint32_t> id = texts_.add_known(form);
  if (!id) {
    if (WordVectorsBuilder::problem_of_word(form) != nullptr) return;
    id = texts_.add(form);
    lower_text(form, lower_);
    words_.push_back(0);
    affixes_.resize(affixes_.size() + shape_.affix_kinds());
    find_affixes(form, lower_, shape_.affix_rows, std::span(affixes_).last(shape_.affix_kinds()));
    if (shape_.reads_characters()) {
      append_units(
          form, shape_.spelling, [this](std::string_view unit) { return number_of_unit(unit); }, units_);
    }
    unit_begins_.push_back(units_.size());
    fingerprint_ = mix(fingerprint_ + hash_text(form));
  }
  fingerprint_ = mix(fingerprint_ + *id);
  file_.put(*id);
  is_in_sentence_ = true;
  ++total_;
}

void EncoderText::end_sentence() {
  if (!is_in_sentence_) return;
  file_.put(WordFile::kSentenceEnd);
  fingerprint_ = mix(fingerprint_ + WordFile::kSentenceEnd);
  is_in_sentence_ = false;
}

void EncoderText::count(std::string_view form, std::uint64_t times) {
  if (WordVectorsBuilder::problem_of_word(form) != nullptr) return;
  lower_text(form, lower_);
  if (WordVectorsBuilder::problem_of_word(lower_) == nullptr) extra_.add(lower_, times);
}

const TextVocabulary& EncoderText::choose(std::uint64_t min_count, std::size_t max_words,
                                          std::uint64_t window_words) {
  end_sentence();
  file_.finish();
  if (total_ == 0) throw DataError("the text has no words; give one that has");
  CountedWords words(texts_.size() + extra_.size());
  for (std::size_t place = 0; place < texts_.size(); ++place) {
    lower_text(texts_.word(place), lower_);
    if (WordVectorsBuilder::problem_of_word(lower_) == nullptr) words.add(lower_, texts_.count(place));
  }
  for (std::size_t place = 0; place < extra_.size(); ++place) {
    words.add(extra_.word(place), extra_.count(place));
    fingerprint_ = mix(fingerprint_ + hash_text(extra_.word(place)) + extra_.count(place));
  }
  std::vector<std::uint32_t> numbers(words.next_id(), 0);
  vocabulary_ = {};
  for (const std::uint32_t place : words.most_frequent(min_count, max_words)) {
    vocabulary_.words.emplace_back(words.word(place));
    vocabulary_.counts.push_back(words.count(place));
    vocabulary_.total += words.count(place);
    numbers[words.id(place)] = static_cast<std::uint32_t>(vocabulary_.words.size());
  }
  if (vocabulary_.words.empty()) {
    throw SettingError("no word of the text comes often enough; give more text, or ask for fewer times",
                       "min_count");
  }
  for (std::size_t place = 0; place < texts_.size(); ++place) {
    lower_text(texts_.word(place), lower_);
    if (const auto id = words.add_known(lower_)) words_[texts_.id(place)] = numbers[*id];
  }
  if (shape_.reads_characters()) choose_characters();
  cut_windows(window_words);
  return vocabulary_;
}

// From 1 on; 0 for those that come when there are no numbers left.
std::uint16_t EncoderText::number_of_unit(std::string_view unit) {
  const auto found = met_.find(std::string(unit));
  if (found != met_.end()) return found->second;
  if (met_.size() >= UINT16_MAX) return 0;
  return met_.emplace(unit, static_cast<std::uint16_t>(met_.size() + 1)).first->second;
}

// Those that several forms have, most of them first: a unit that only one has is unknown, so that something
// is learnt of such units.
void EncoderText::choose_characters() {
  constexpr std::size_t kLeastForms = 2;
  constexpr std::size_t kMostCharacters = 8000;
  std::vector<std::size_t> counts(met_.size() + 1, 0);
  for (const std::uint16_t unit : units_) ++counts[unit];
  std::vector<std::string> texts(counts.size());
  for (const auto& [text, number] : met_) texts[number] = text;
  std::vector<std::uint16_t> order;
  for (std::size_t number = 1; number < counts.size(); ++number) {
    if (counts[number] >= kLeastForms) order.push_back(static_cast<std::uint16_t>(number));
  }
  if (order.empty() && counts.size() > 1) order.push_back(1);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return counts[a] > counts[b]; });
  if (order.size() > kMostCharacters) order.resize(kMostCharacters);
  std::vector<std::uint16_t> chosen(counts.size(), 0);
  std::vector<std::string> known;
  for (const std::uint16_t number : order) {
    known.push_back(texts[number]);
    chosen[number] = static_cast<std::uint16_t>(known.size());
  }
  for (std::uint16_t& unit : units_) unit = chosen[unit];
  characters_ = Vocabulary(std::move(known));
  met_.clear();
}

// Windows of about the same size, which end with a sentence.
void EncoderText::cut_windows(std::uint64_t window_words) {
  const std::uint64_t count = std::max<std::uint64_t>((total_ + window_words / 2) / window_words, 1);
  const std::uint64_t size = (total_ + count - 1) / count;
  windows_.assign(1, {});
  std::vector<std::uint32_t> block(kBlock);
  std::uint64_t words = 0;
  std::uint64_t begin = 0;
  while (true) {
    const std::size_t read = file_.read(begin, block);
    if (read == 0) break;
    for (std::size_t k = 0; k < read; ++k) {
      if (block[k] != WordFile::kSentenceEnd) {
        ++words;
        continue;
      }
      windows_.back().end = begin + k + 1;
      if (words < size) continue;
      windows_.push_back({windows_.back().end, windows_.back().end});
      words = 0;
    }
    begin += read;
  }
  if (windows_.back().begin == windows_.back().end) windows_.pop_back();
}

void EncoderText::read(std::size_t window, TextWindow& into) const {
  const auto [begin, end] = windows_[window];
  into.forms.resize(end - begin);
  if (file_.read(begin, into.forms) != into.forms.size()) {
    throw DataError("the temporary file with the words of the text has become shorter; start again");
  }
  into.begins.assign(1, 0);
  std::size_t words = 0;
  for (const std::uint32_t number : into.forms) {
    if (number == WordFile::kSentenceEnd || words - into.begins.back() == kLongestSentence) {
      if (words > into.begins.back()) into.begins.push_back(words);
    }
    if (number != WordFile::kSentenceEnd) into.forms[words++] = number;
  }
  into.forms.resize(words);
}

}  // namespace copse
