#include "render/text_width.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace copse {
namespace {

bool is_control(char32_t code) {
  const bool is_line_break = code == 0x2028 || code == 0x2029;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || is_line_break || code == Character::kInvalid;
}

bool turns_direction(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  for_each_character(text, [&](const Character& character) { columns += character_columns(character.code); });
  return columns;
}

std::string printable(std::string_view text) {
  std::string out;
  for_each_character(text, [&](const Character& character) {
    if (is_control(character.code)) {
      out += kReplacementCharacter;
    } else if (!turns_direction(character.code)) {
      out += character.bytes;
    }
  });
  return out;
}

std::string cut_to_width(std::string_view text, int columns, std::string_view ellipsis) {
  if (display_width(text) <= columns) return std::string(text);
  const int room = columns - display_width(ellipsis);
  if (room < 0) return {};
  size_t kept_bytes = 0;
  int kept_columns = 0;
  while (true) {
    const Character next = first_character(text.substr(kept_bytes));
    if (kept_columns + character_columns(next.code) > room) break;
    kept_columns += character_columns(next.code);
    kept_bytes += next.bytes.size();
  }
  return std::string(text.substr(0, kept_bytes)).append(ellipsis);
}

}  // namespace copse
