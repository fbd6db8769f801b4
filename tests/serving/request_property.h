#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serving/form.h"
#include "serving/request_error.h"
#include "serving/request_head.h"
#include "text/utf8.h"

namespace copse::testing {

// What is wrong with what is made of bytes that may be a request: a path or a field that is not UTF-8, a body
// that depends on how the bytes are cut into pieces, errors of more than a line.
inline std::optional<std::string> request_violation(std::string_view bytes) {
  const std::optional<std::size_t> length = head_length(bytes);
  if (!length) return std::nullopt;
  if (*length > bytes.size()) return "a head that is longer than all there is";
  try {
    RequestHead head = parse_request_head(bytes.substr(0, *length));
    if (!is_valid_utf8(head.request.path)) return "a path that is not UTF-8";
    if (!head.request.path.starts_with('/') || head.request.path.find("//") != std::string::npos) {
      return "a path that is not in its normal form";
    }
    if (head.is_chunked && head.content_length != 0) return "both chunks and a length";
    const std::string_view rest = bytes.substr(*length);
    if (head.is_chunked) {
      constexpr std::size_t kMost = 1000;
      ChunkedBody whole(kMost);
      std::size_t taken = whole.add(rest);
      ChunkedBody pieces(kMost);
      std::size_t taken_in_pieces = 0;
      for (std::size_t k = 0; k < rest.size() && !pieces.is_complete(); ++k) {
        taken_in_pieces += pieces.add(rest.substr(k, 1));
      }
      if (taken != taken_in_pieces || whole.is_complete() != pieces.is_complete() ||
          whole.content() != pieces.content()) {
        return "a body that depends on how it comes in pieces";
      }
      if (whole.content().size() > kMost) return "a body that is too long";
      head.request.body = whole.content();
    } else {
      head.request.body = rest.substr(0, head.content_length);
    }
    for (const auto& [name, value] : read_form(head.request)) {
      if (!is_valid_utf8(name) || !is_valid_utf8(value)) return "a field that is not UTF-8";
    }
  } catch (const RequestError& error) {
    if (error.status() < 400 || error.status() > 599) return "an error without a status";
    if (std::string_view(error.what()).find('\n') != std::string_view::npos)
      return "an error of several lines";
  }
  return std::nullopt;
}

}  // namespace copse::testing
