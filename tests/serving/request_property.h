#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serving/form.h"
#include "serving/request_error.h"
#include "serving/request_reader.h"
#include "text/utf8.h"

namespace copse::testing {

// What a server makes of bytes.
struct ReadRequests {
  std::vector<RequestHead> requests;
  int error = 0;           // the status of the refusal that ends them
  bool has_begun = false;  // another one, which is not complete
};

inline ReadRequests read_requests(std::string_view bytes, std::size_t bytes_at_a_time,
                                  std::size_t max_body = 1000) {
  ReadRequests result;
  RequestReader reader(max_body);
  try {
    while (!bytes.empty()) {
      reader.add(bytes.substr(0, bytes_at_a_time));
      bytes.remove_prefix(std::min(bytes_at_a_time, bytes.size()));
      while (std::optional<RequestHead> head = reader.next()) result.requests.push_back(std::move(*head));
    }
  } catch (const RequestError& error) {
    result.error = error.status();
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) result.error = -1;
  }
  result.has_begun = reader.has_begun();
  return result;
}

inline std::optional<std::string> form_violation(const Request& request) {
  try {
    for (const auto& [name, value] : read_form(request)) {
      if (!is_valid_utf8(name) || !is_valid_utf8(value)) return "a field that is not UTF-8";
    }
  } catch (const RequestError& error) {
    if (error.status() < 400 || error.status() > 599) return "an error without a status";
    if (std::string_view(error.what()).find('\n') != std::string_view::npos)
      return "an error of several lines";
  }
  return std::nullopt;
}

// What is wrong with what is made of bytes that may be requests: a path or a field that is not UTF-8,
// requests that depend on how the bytes are cut into pieces, errors of more than a line.
inline std::optional<std::string> request_violation(std::string_view bytes) {
  const ReadRequests whole = read_requests(bytes, bytes.size());
  const ReadRequests pieces = read_requests(bytes, 1);
  if (whole.error != 0 && (whole.error < 400 || whole.error > 599))
    return "an error without a status or line";
  if (whole.error != pieces.error || whole.requests.size() != pieces.requests.size()) {
    return "requests that depend on how they come in pieces";
  }
  if (whole.error == 0 && whole.has_begun != pieces.has_begun) return "an end that depends on the pieces";
  for (std::size_t k = 0; k < whole.requests.size(); ++k) {
    const RequestHead& head = whole.requests[k];
    const Request& request = head.request;
    if (!is_valid_utf8(request.path)) return "a path that is not UTF-8";
    if (!request.path.starts_with('/') || request.path.find("//") != std::string::npos) {
      return "a path that is not in its normal form";
    }
    if (head.is_chunked && head.content_length != 0) return "both chunks and a length";
    if (!head.is_chunked && request.body.size() != head.content_length) return "a body of another length";
    if (request.body.size() > 1000) return "a body that is too long";
    const Request& other = pieces.requests[k].request;
    if (request.path != other.path || request.query != other.query || request.body != other.body ||
        request.headers != other.headers) {
      return "a request that depends on how it comes in pieces";
    }
    if (std::optional<std::string> violation = form_violation(request)) return violation;
  }
  return std::nullopt;
}

}  // namespace copse::testing
