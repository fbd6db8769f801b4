#include "serving/access_control.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "copse/error.h"
#include "serving/media_type.h"

namespace copse {
namespace {

constexpr std::string_view kScheme = "bearer ";

}  // namespace

bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  if (secret.empty()) return false;
  volatile unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto a = static_cast<unsigned char>(given[k]);
    const auto b = static_cast<unsigned char>(secret[k % secret.size()]);
    difference = static_cast<unsigned char>(difference | (a ^ b));
  }
  return difference == 0;
}

std::vector<std::string> read_token_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw DataError(path + ": cannot be read; name a file with a token in its first line");
  std::vector<std::string> tokens;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    const std::string_view token = trimmed(line);
    if (token.empty() || token.front() == '#') continue;
    const bool can_be_sent =
        std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7F; });
    if (!can_be_sent) {
      throw DataError(fmt::format(
          "{}:{}: a token consists of letters, digits and signs of ASCII, without spaces", path, number));
    }
    tokens.emplace_back(token);
  }
  if (tokens.empty()) throw DataError(path + ": has no token; write one into its first line");
  return tokens;
}

bool is_readable_by_all(const std::string& path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 && (file.st_mode & S_IROTH) != 0;
}

bool is_origin(std::string_view text) {
  if (text == "*") return true;
  const std::size_t scheme = text.find("://");
  if (scheme == 0 || scheme == std::string_view::npos) return false;
  const std::string_view host = text.substr(scheme + 3);
  // A slash, also the one at the end of an address, is not part of an origin; nor are capitals.
  return !host.empty() && lower_ascii(text) == text && std::all_of(host.begin(), host.end(), [](char c) {
    return c > ' ' && c < 0x7F && std::string_view("/?#@\\,").find(c) == std::string_view::npos;
  });
}

bool AccessControl::has_token(const Request& request) const {
  if (tokens.empty()) return true;
  const std::string_view value = request.header("Authorization");
  if (lower_ascii(value.substr(0, kScheme.size())) != kScheme) return false;
  const std::string_view given = trimmed(value.substr(kScheme.size()));
  bool is_known = false;
  for (const std::string& token : tokens) is_known |= equal_in_constant_time(given, token);
  return is_known;
}

AccessControl::Headers AccessControl::cors_headers(const Request& request) const {
  if (origins.empty()) return {};
  if (std::find(origins.begin(), origins.end(), "*") != origins.end()) {
    return {{"Access-Control-Allow-Origin", "*"}};
  }
  // Caches must not give the answer for one origin to another.
  Headers headers = {{"Vary", "Origin"}};
  const std::string_view origin = request.header("Origin");
  if (std::find(origins.begin(), origins.end(), origin) != origins.end()) {
    headers.emplace_back("Access-Control-Allow-Origin", origin);
  }
  return headers;
}

AccessControl::Headers AccessControl::preflight_headers(const Request& request,
                                                        const std::string& methods) const {
  Headers headers = cors_headers(request);
  const bool is_allowed = std::any_of(headers.begin(), headers.end(), [](const auto& header) {
    return header.first == "Access-Control-Allow-Origin";
  });
  if (!is_allowed) return headers;
  headers.emplace_back("Access-Control-Allow-Methods", methods);
  headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept");
  headers.emplace_back("Access-Control-Max-Age", "86400");
  return headers;
}

}  // namespace copse
