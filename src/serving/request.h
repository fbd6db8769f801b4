#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

// What a client asks, without anything that is left of the connection that it came by: handlers are tested
// without sockets.
struct Request {
  std::string method =
      "GET";               // as sent, in capitals; who asks with HEAD gets what GET gives, without the body
  std::string path = "/";  // decoded, with single slashes: "/v1/parse"
  std::string query = {};  // what followed the question mark, not decoded
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};  // whole, at most as long as the server allows

  // The value of a header, whatever the case of its name; empty if there is none.
  std::string_view header(std::string_view name) const {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    for (const auto& [key, value] : headers) {
      if (std::equal(key.begin(), key.end(), name.begin(), name.end(), same)) return value;
    }
    return {};
  }
};

}  // namespace copse
