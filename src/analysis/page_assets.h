#pragma once

#include <string_view>

namespace copse {

// What the page has inside it, so that it needs no other file. Neither has a character that XML gives a
// meaning (& and the less-than sign), so that the page is well-formed XML.
std::string_view page_style();
std::string_view page_script();

}  // namespace copse
