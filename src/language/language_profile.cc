#include "language/language_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "features/hashing.h"
#include "io/bytes.h"
#include "text/character_table.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kSection = "language/profile";
constexpr std::uint32_t kVersion = 1;

constexpr std::size_t kLongestGroup = 3;
constexpr std::size_t kMostGroups = 2000;
constexpr double kRarest = -13.0;  // log-probability of what a profile does not have
constexpr double kSteps = 254.0;   // from there to 0; a byte of 0 means that there is nothing
constexpr char32_t kWordEnd = 1;   // and beginning

// With fewer texts of kTellingLetters, nobody knows what others will look like.
constexpr std::size_t kFewestTexts = 100;
constexpr std::size_t kMostTexts = 10'000;

// Text by itself, to find out how likely it is under a profile of the rest.
constexpr std::size_t kParts = 5;

bool is_letter(CharacterClass kind) { return is_word_part(kind); }

std::uint64_t hash_of(std::span<const char32_t> group) {
  std::uint64_t hash = group.size();
  for (const char32_t letter : group) hash = mix(hash + letter);
  return hash;
}

using Counts = std::map<std::uint64_t, std::int64_t>;

void count(const LetterGroups& groups, Counts& counts) {
  for (const std::uint64_t hash : groups.hashes()) ++counts[hash];
}

std::uint8_t step_of(double log_probability) {
  const double place = (log_probability - kRarest) / -kRarest;
  return static_cast<std::uint8_t>(1.0 + std::round(kSteps * std::clamp(place, 0.0, 1.0)));
}

// The most frequent groups.
KnownWords groups_of(const Counts& counts) {
  std::int64_t all = 0;
  std::vector<std::pair<std::int64_t, std::uint64_t>> frequent;
  for (const auto& [hash, times] : counts) {
    all += times;
    frequent.emplace_back(-times, hash);
  }
  std::sort(frequent.begin(), frequent.end());
  if (frequent.size() > kMostGroups) frequent.resize(kMostGroups);
  KnownWords groups;
  for (const auto& [times, hash] : frequent) {
    groups.add(hash, step_of(std::log(static_cast<double>(-times) / static_cast<double>(all))));
  }
  return groups;
}

double likeness_under(const KnownWords& known, const LetterGroups& groups) {
  if (groups.hashes().empty()) return kRarest;
  std::int64_t steps = 0;
  for (const std::uint64_t hash : groups.hashes())
    steps += std::max(known.find(hash), KnownWords::Flags{1}) - 1;
  return kRarest -
         kRarest / kSteps * static_cast<double>(steps) / static_cast<double>(groups.hashes().size());
}

}  // namespace

void LetterGroups::clear() {
  letters_ = 0;
  hashes_.clear();
}

void LetterGroups::add(std::string_view text) {
  const CharacterTable& table = CharacterTable::get();
  word_.assign(1, kWordEnd);
  for_each_character(text, [&](const Character& character) {
    const bool is_valid = character.code != Character::kInvalid;
    const CharacterTraits traits = is_valid ? table[character.code] : CharacterTraits{};
    if (is_valid && is_letter(traits.kind)) {
      word_.push_back(traits.folded);
    } else {
      add_word();
    }
  });
  add_word();
}

void LetterGroups::add_word() {
  if (word_.size() == 1) return;
  letters_ += word_.size() - 1;
  word_.push_back(kWordEnd);
  for (std::size_t size = 1; size <= kLongestGroup; ++size) {
    for (std::size_t begin = 0; begin + size <= word_.size(); ++begin) {
      const std::span<const char32_t> group = std::span(word_).subspan(begin, size);
      if (size > 1 || group[0] != kWordEnd) hashes_.push_back(hash_of(group));
    }
  }
  word_.assign(1, kWordEnd);
}

std::optional<LanguageProfile> LanguageProfile::of(std::span<const Sentence> sentences) {
  // Texts of about the length that is asked about, dealt out; of a large treebank, the first ones are kept.
  std::array<Counts, kParts> parts;
  std::vector<LetterGroups> texts;
  LetterGroups text;
  std::size_t number = 0;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) text.add(word.form());
    if (text.letters() < kTellingLetters) continue;
    count(text, parts[number++ % kParts]);
    if (texts.size() < kMostTexts) texts.push_back(text);
    text.clear();
  }
  if (texts.size() < kFewestTexts) return std::nullopt;
  Counts all;
  for (const Counts& part : parts) {
    for (const auto& [hash, times] : part) all[hash] += times;
  }
  LanguageProfile profile;
  profile.groups_ = groups_of(all);
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t part = 0; part < kParts; ++part) {
    Counts others = all;
    for (const auto& [hash, times] : parts[part]) {
      if ((others[hash] -= times) == 0) others.erase(hash);
    }
    const KnownWords groups = groups_of(others);
    for (std::size_t k = part; k < texts.size(); k += kParts) {
      const double likeness = likeness_under(groups, texts[k]);
      sum += likeness;
      squares += likeness * likeness;
    }
  }
  constexpr double kLeastDeviation = 0.1;
  const auto size = static_cast<double>(texts.size());
  profile.mean_ = sum / size;
  profile.deviation_ =
      std::max(kLeastDeviation, std::sqrt(std::max(0.0, squares / size - profile.mean_ * profile.mean_)));
  return profile;
}

double LanguageProfile::likeness(const LetterGroups& groups) const { return likeness_under(groups_, groups); }

double LanguageProfile::strangeness(double likeness) const { return (mean_ - likeness) / deviation_; }

void LanguageProfile::add_to(SectionFileWriter& file) const {
  ByteWriter writer;
  writer.u32(kVersion);
  writer.f64(mean_);
  writer.f64(deviation_);
  groups_.save(writer);
  file.add(kSection, writer.take());
}

bool LanguageProfile::is_in(const SectionFile& file) { return file.has(kSection); }

LanguageProfile LanguageProfile::from_file(const SectionFile& file) {
  ByteReader reader = file.reader(kSection);
  if (reader.u32() != kVersion) reader.fail("is of another version");
  LanguageProfile profile;
  profile.mean_ = reader.f64();
  profile.deviation_ = reader.f64();
  if (!std::isfinite(profile.mean_) || !(profile.deviation_ > 0.0) || !std::isfinite(profile.deviation_)) {
    reader.fail("has figures that cannot be");
  }
  profile.groups_ = KnownWords::load(reader);
  reader.expect_end();
  return profile;
}

}  // namespace copse
