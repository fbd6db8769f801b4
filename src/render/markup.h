#pragma once

#include <string>
#include <string_view>

namespace copse {

// `text` for the content and the attribute values of XML and HTML; characters that XML does not allow, or
// that turn the direction of writing, are replaced or left out as in printable().
std::string xml_escaped(std::string_view text);

// `text` between double quotes, as a string of Graphviz that shows just this text.
std::string dot_quoted(std::string_view text);

}  // namespace copse
