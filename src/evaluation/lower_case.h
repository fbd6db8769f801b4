#pragma once

#include <string>
#include <string_view>

namespace copse {

// Valid UTF-8 in small letters, by the full mapping of Unicode that does not depend on a language: a dotted
// capital I becomes two characters, and a capital sigma at the end of a word the final one.
std::string lower_case(std::string_view text);

}  // namespace copse
