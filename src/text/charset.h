#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse {

// Text of a character set by its name ("iso-8859-2", "Shift_JIS"; those of the ICU library that the program
// runs with) in UTF-8. Nothing if there is no such character set, or the text is not in it.
std::optional<std::string> to_utf8(std::string_view text, const std::string& charset);

}  // namespace copse
