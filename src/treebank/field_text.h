#pragma once

#include <string_view>

#include "text/utf8.h"

namespace copse {

// Whether a column can hold this text, as one of its parts at least.
inline bool is_field_text(std::string_view text) {
  return is_valid_utf8(text) && text.find_first_of(std::string_view("\t\n\r\0", 4)) == std::string_view::npos;
}

}  // namespace copse
