// What single lines of text look like.
#pragma once

#include <string_view>

namespace copse {

inline constexpr std::string_view kLineSpaces = " \t\r\v\f";

// Without white space at both ends.
std::string_view trimmed_line(std::string_view line);

// All before the first white space of a trimmed line.
inline std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(kLineSpaces));
}

// Whether a trimmed line ends in a letter, mark or digit, not in punctuation. The line is not empty.
bool ends_in_word(std::string_view line);

}  // namespace copse
