#include "segmentation/heading.h"

#include <algorithm>

#include "segmentation/text_line.h"
#include "text/character_table.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kLongestHeading = 80;  // of a heading

CharacterClass class_of(char32_t character) { return CharacterTable::get()[character].kind; }

bool has_letter(std::string_view line) {
  while (!line.empty()) {
    if (is_word_part(class_of(take_character(line)))) return true;
  }
  return false;
}

// With a capital letter, perhaps behind a bracket or a quotation mark.
bool begins_like_sentence(std::string_view line) {
  CharacterClass first = class_of(take_character(line));
  const bool is_mark = first == CharacterClass::open || first == CharacterClass::punctuation;
  if (is_mark && !line.empty()) first = class_of(take_character(line));
  return first == CharacterClass::upper;
}

}  // namespace

std::size_t heading_bytes(std::string_view paragraph) {
  const std::size_t end = paragraph.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view line = trimmed_line(paragraph.substr(0, end));
  std::string_view rest = paragraph.substr(end + 1);
  const std::string_view next = trimmed_line(rest.substr(0, rest.find('\n')));
  const std::size_t length = count_characters(line);
  if (line.empty() || next.empty() || length > kLongestHeading) return 0;
  if (!has_letter(line) || !ends_in_word(line) || !begins_like_sentence(next)) return 0;
  const std::size_t with_next_word = length + 1 + count_characters(first_word(next));
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find('\n'), rest.size());
    if (count_characters(trimmed_line(rest.substr(0, line_end))) >= with_next_word) return end + 1;
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
  }
  return 0;
}

}  // namespace copse
