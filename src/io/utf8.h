#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

// The length of the longest prefix that is valid UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
size_t valid_utf8_prefix(std::string_view text);

inline bool is_valid_utf8(std::string_view text) { return valid_utf8_prefix(text) == text.size(); }

// `text` between single quotes for a one-line message: control characters and invalid bytes appear as \xNN,
// and what goes beyond `max_bytes` is replaced by "...".
std::string quoted(std::string_view text, size_t max_bytes = 40);

}  // namespace copse
