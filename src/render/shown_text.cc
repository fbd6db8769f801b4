#include "render/shown_text.h"

#include "render/text_width.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace copse {
namespace {

// In parts of the size of the font.
double character_width(char32_t code) {
  constexpr std::u32string_view kNarrow = U" !'(),./:;I[]fijlrt|";
  constexpr std::u32string_view kWide = U"%@MWm";
  const int columns = character_columns(code);
  if (columns != 1) return columns * 0.55;
  if (kNarrow.find(code) != std::u32string_view::npos) return 0.42;
  if (kWide.find(code) != std::u32string_view::npos) return 1.0;
  if (code < 0x80) return code >= U'A' && code <= U'Z' ? 0.78 : 0.65;
  return code < 0x250 ? 0.75 : 0.88;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0.0;
  for_each_character(text, [&](const Character& character) { width += character_width(character.code); });
  return width * size;
}

std::string shown(std::string_view text, int columns) { return cut_to_width(printable(text), columns, "…"); }

std::string shown_tag(const Token& word) {
  const std::string_view tag = word.upos() == "_" ? word.xpos() : word.upos();
  return tag == "_" ? std::string() : shown(tag);
}

}  // namespace copse
