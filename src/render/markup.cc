#include "render/markup.h"

#include "render/text_width.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace copse {
namespace {

bool is_no_character(char32_t code) { return code == 0xFFFE || code == 0xFFFF; }

std::string_view xml_entity(char32_t code) {
  switch (code) {
    case U'&':
      return "&amp;";
    case U'<':
      return "&lt;";
    case U'>':
      return "&gt;";
    case U'"':
      return "&quot;";
    case U'\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  const std::string shown = printable(text);
  for_each_character(shown, [&](const Character& character) {
    const std::string_view entity = xml_entity(character.code);
    out += !entity.empty()                   ? entity
           : is_no_character(character.code) ? kReplacementCharacter
                                             : character.bytes;
  });
  return out;
}

// Graphviz reads escapes such as \N and entities such as &amp; inside strings.
std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char byte : printable(text)) {
    if (byte == '"' || byte == '\\') out += '\\';
    out += byte;
    if (byte == '&') out += "amp;";
  }
  return out + "\"";
}

}  // namespace copse
