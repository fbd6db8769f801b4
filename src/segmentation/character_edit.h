#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace copse {

// What becomes of a character of a token when the token is split into words: it stays or goes, and there may
// be a boundary between words, or other characters, before and after it.
struct CharacterEdit {
  static constexpr char kBoundary = '\t';  // stands in no form

  std::string before;
  bool keeps = true;
  std::string after;

  bool is_nothing() const { return keeps && before.empty() && after.empty(); }
  bool operator==(const CharacterEdit&) const = default;
  bool operator<(const CharacterEdit& other) const {
    return std::tie(before, keeps, after) < std::tie(other.before, other.keeps, other.after);
  }
};

// The fewest edits of the characters of a form that make its words, one for each character. Both are folded
// (folded_text()), the form not empty.
std::vector<CharacterEdit> character_edits(std::u32string_view form, std::span<const std::u32string> words);

// Overwrites words by what the edits make of a form, one edit for each of its characters, which keep their
// case. False unless there are at least two words, none of them empty, and no more than there are characters,
// nor more than WordSplit::kMostWords.
bool apply_edits(std::string_view form, std::span<const CharacterEdit* const> edits,
                 std::vector<std::string>& words);

}  // namespace copse
