#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "features/known_words.h"
#include "io/section_file.h"

namespace copse {

// The features that identify the language of a text: hashes of up to three letters in a row, with the
// beginnings and ends of words. Words are runs of letters, in small letters; everything else separates them.
class LetterGroups {
 public:
  void clear();
  // Words of several calls do not touch.
  void add(std::string_view text);

  std::size_t letters() const { return letters_; }
  std::span<const std::uint64_t> hashes() const { return hashes_; }

 private:
  void add_word();

  std::size_t letters_ = 0;
  std::vector<std::uint64_t> hashes_;
  std::vector<char32_t> word_;
};

// Text of so many letters, about 20 words, tells its language.
inline constexpr std::size_t kTellingLetters = 80;

// What the text that a model has learnt from looks like: how frequent groups of letters are in it.
class LanguageProfile {
 public:
  // Nothing if there are too few words.
  static std::optional<LanguageProfile> of(std::span<const Sentence> sentences);

  // The mean log-probability of the groups, to be compared with that under other profiles. Groups that are
  // too rare have the same in all of them.
  double likeness(const LetterGroups& groups) const;
  // How far below that of its own language it is, for texts of kTellingLetters: in standard deviations.
  double strangeness(double likeness) const;

  // A section of a model file. Reading throws DataError if it is damaged.
  void add_to(SectionFileWriter& file) const;
  static LanguageProfile from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);

 private:
  LanguageProfile() = default;

  KnownWords groups_;  // with their log-probabilities in steps
  double mean_ = 0.0;  // of own text
  double deviation_ = 1.0;
};

}  // namespace copse
