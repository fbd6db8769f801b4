#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serving/reply.h"

namespace copse {

// What the head of a response says beyond what the handler wants.
struct ResponseFraming {
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::size_t> length = {};  // of the body; none: it comes in chunks
  bool keeps_alive = true;
  bool says_keep_alive = false;       // HTTP/1.0 has to be told
  std::chrono::milliseconds idle{0};  // that a connection is kept between requests
};

// The status line and the headers, up to the empty line.
std::string response_head(const ReplyHead& head, const ResponseFraming& framing);

// A chunk of a body, and what stands behind the last one.
std::string response_chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace copse
