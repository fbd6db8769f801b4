#pragma once

#include <regex>
#include <string>
#include <vector>

#include "text/utf8.h"

namespace copse::testing {

// What keeps `text` from being a well-formed XML element (of the plain kind that Copse writes: no CDATA, no
// processing instructions), or an empty string.
inline std::string xml_defect(const std::string& text) {
  static const std::regex kStart(R"re(<([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z-]+="[^"<]*")*)(/?)>)re");
  static const std::regex kReference("&(amp|lt|gt|quot|#39);");
  if (!is_valid_utf8(text)) return "not UTF-8";
  std::vector<std::string> open;
  for (size_t k = 0; k < text.size();) {
    const std::string here = text.substr(k, 60);
    const auto byte = static_cast<unsigned char>(text[k]);
    if ((byte < 0x20 && byte != '\n') || here.starts_with("\xEF\xBF\xBE") ||
        here.starts_with("\xEF\xBF\xBF")) {
      return "a character that XML does not allow at " + here;
    }
    std::smatch match;
    if (text[k] == '&') {
      if (!std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(k), text.end(), match, kReference,
                             std::regex_constants::match_continuous)) {
        return "a bad reference at " + here;
      }
      k += static_cast<size_t>(match.length());
    } else if (here.starts_with("</")) {
      const std::string name = text.substr(k + 2, text.find('>', k) - k - 2);
      if (open.empty() || open.back() != name) return "a wrong end tag at " + here;
      open.pop_back();
      k += name.size() + 3;
      if (open.empty()) return text.substr(k) == "\n" ? "" : "something after the end: " + text.substr(k, 60);
    } else if (text[k] == '<') {
      if (!std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(k), text.end(), match, kStart,
                             std::regex_constants::match_continuous)) {
        return "a bad start tag at " + here;
      }
      if (match.length(3) == 0) open.push_back(match[1]);
      k += static_cast<size_t>(match.length());
    } else {
      if (open.empty()) return "text outside of the element at " + here;
      ++k;
    }
  }
  return open.empty() ? "no element" : "the element " + open.back() + " does not end";
}

}  // namespace copse::testing
