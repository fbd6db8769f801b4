#include "segmentation/character_edit.h"

#include <algorithm>
#include <utility>

#include "segmentation/word_splitter.h"
#include "text/utf8.h"

namespace copse {

std::vector<CharacterEdit> character_edits(std::u32string_view form, std::span<const std::u32string> words) {
  constexpr char32_t kBoundary = CharacterEdit::kBoundary;
  std::u32string target;
  for (const std::u32string& word : words) {
    if (!target.empty()) target += kBoundary;
    target += word;
  }
  // Characters that come and go from the i-th character of the form and the j-th of the target on. Boundaries
  // come for nothing.
  const std::size_t columns = target.size() + 1;
  std::vector<std::uint32_t> costs((form.size() + 1) * columns);
  const auto cost = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return costs[i * columns + j]; };
  const auto price = [&](std::size_t j) { return target[j] == kBoundary ? 0U : 1U; };
  for (std::size_t i = form.size() + 1; i-- > 0;) {
    for (std::size_t j = target.size() + 1; j-- > 0;) {
      if (i == form.size() && j == target.size()) continue;
      std::uint32_t least = UINT32_MAX;
      if (i < form.size()) least = cost(i + 1, j) + 1;
      if (j < target.size()) least = std::min(least, cost(i, j + 1) + price(j));
      if (i < form.size() && j < target.size() && form[i] == target[j]) {
        least = std::min(least, cost(i + 1, j + 1));
      }
      cost(i, j) = least;
    }
  }
  // Boundaries stand before the characters that follow them, and so does what is put there.
  std::vector<CharacterEdit> edits;
  CharacterEdit edit;
  std::size_t j = 0;
  for (std::size_t i = 0; i < form.size();) {
    const bool is_boundary = j < target.size() && target[j] == kBoundary && cost(i, j) == cost(i, j + 1);
    const bool is_same = j < target.size() && form[i] == target[j] && cost(i, j) == cost(i + 1, j + 1);
    if (!is_boundary && (is_same || cost(i, j) == cost(i + 1, j) + 1)) {
      edit.keeps = is_same;
      if (is_same) ++j;
      ++i;
      edits.push_back(std::exchange(edit, {}));
    } else {
      append_character(target[j++], edit.before);
    }
  }
  for (; j < target.size(); ++j) append_character(target[j], edits.back().after);
  return edits;
}

bool apply_edits(std::string_view form, std::span<const CharacterEdit* const> edits,
                 std::vector<std::string>& words) {
  const std::size_t characters = edits.size();
  words.assign(1, {});
  const auto append = [&words](std::string_view text) {
    for (const char byte : text) {
      if (byte == CharacterEdit::kBoundary) {
        words.emplace_back();
      } else {
        words.back() += byte;
      }
    }
  };
  for (const CharacterEdit* edit : edits) {
    const std::string_view character = first_characters(form, 1);
    form.remove_prefix(character.size());
    append(edit->before);
    if (edit->keeps) words.back() += character;
    append(edit->after);
  }
  return words.size() >= 2 && words.size() <= std::min(characters, WordSplit::kMostWords) &&
         std::none_of(words.begin(), words.end(), [](const std::string& word) { return word.empty(); });
}

}  // namespace copse
