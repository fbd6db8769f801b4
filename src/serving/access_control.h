#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serving/request.h"

namespace copse {

// Whether two texts are the same, in a time that depends on the length of the given one alone: who guesses
// does not learn how far a guess is right.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

// The tokens of a file: one a line, without empty lines and those that begin with #. Throws DataError if
// there is none, or one that no client can send.
std::vector<std::string> read_token_file(const std::string& path);
// Whether other users of the machine can read a file.
bool is_readable_by_all(const std::string& path);

// Whether a browser can send it as the origin of a page, "https://example.org:8443", or it is "*".
bool is_origin(std::string_view text);

// Who may ask: clients that know a token, and pages of other origins.
struct AccessControl {
  std::vector<std::string> tokens = {};   // none: everybody may
  std::vector<std::string> origins = {};  // "https://example.org", or "*"; none: no other origin

  // Whether the request has a token that it needs.
  bool has_token(const Request& request) const;

  // The headers of replies that let pages of other origins read them.
  using Headers = std::vector<std::pair<std::string, std::string>>;
  Headers cors_headers(const Request& request) const;
  // The same for the question whether a page may ask (OPTIONS), for a path with these methods.
  Headers preflight_headers(const Request& request, const std::string& methods) const;
};

}  // namespace copse
