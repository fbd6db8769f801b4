#include "render/style.h"

namespace copse {
namespace {

std::string_view escape_sequence(Style style) {
  switch (style) {
    case Style::bold:
      return "\x1B[1m";
    case Style::dim:
      return "\x1B[2m";
    case Style::green:
      return "\x1B[32m";
    case Style::yellow:
      return "\x1B[33m";
    case Style::red:
      return "\x1B[31m";
    case Style::plain:
      break;
  }
  return "";
}

}  // namespace

std::string styled(std::string_view text, Style style) {
  if (style == Style::plain || text.empty()) return std::string(text);
  return std::string(escape_sequence(style)).append(text).append("\x1B[0m");
}

}  // namespace copse
