#include "render/text_width.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "io/utf8.h"
#include "render/characters.h"

namespace copse {
namespace {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

#include "render/width_table.inc"

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool contains(std::span<const CodePointRange> ranges, char32_t code) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t value, const CodePointRange& r) { return value < r.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

bool is_control(char32_t code) {
  const bool is_line_break = code == 0x2028 || code == 0x2029;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || is_line_break || code == kInvalidCharacter;
}

bool turns_direction(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const std::string_view bytes = text.substr(0, length);
  if (bytes.size() < length || !is_valid_utf8(bytes)) return {kInvalidCharacter, text.substr(0, 1)};
  constexpr std::array<unsigned char, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = lead & kLeadBits[length];
  for (const char byte : bytes.substr(1)) code = (code << 6) | (static_cast<unsigned char>(byte) & 0x3F);
  return {code, bytes};
}

int character_columns(char32_t code) {
  if (code < std::begin(kNoColumn)->first || code == kInvalidCharacter) return 1;
  if (contains(kNoColumn, code)) return 0;
  return contains(kTwoColumns, code) ? 2 : 1;
}

int display_width(std::string_view text) {
  int columns = 0;
  for_each_character(text, [&](const Character& character) { columns += character_columns(character.code); });
  return columns;
}

std::string printable(std::string_view text) {
  std::string out;
  for_each_character(text, [&](const Character& character) {
    if (is_control(character.code)) {
      out += kReplacement;
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
