#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "serving/request.h"

namespace copse {

// What stands before the body of a request, and what it says about it.
struct RequestHead {
  Request request;  // without the body
  bool is_http_1_0 = false;
  bool keeps_alive = true;  // whether the client wants to ask more by the same connection
  bool is_chunked = false;
  std::uint64_t content_length = 0;
  bool expects_continue = false;  // the client waits for a word before it sends the body

  bool has_body() const { return is_chunked || content_length > 0; }
};

// The length of the head that a text begins with, including the empty line at its end; nothing if that is not
// there yet. Empty lines before a request are part of it. The first `searched` bytes are known not to have
// it.
std::optional<std::size_t> head_length(std::string_view text, std::size_t searched = 0);

// The path that a request begins with, as it was sent, also of requests that cannot be read; perhaps empty.
std::string_view requested_path(std::string_view text);

// Reads a head. Strict where two readers could understand different things (RFC 9112): names with spaces,
// folded lines, lengths that are no numbers, two lengths, a length and chunks, no Host or two. Throws
// RequestError: 400, 501 for an unknown transfer coding, 505 for another protocol.
RequestHead parse_request_head(std::string_view text);

// A path with single slashes, decoded: "//process" is "/process". Nothing if it is not percent-encoded UTF-8,
// or has control characters.
std::optional<std::string> normal_path(std::string_view path);

// The body of a request that comes in chunks (RFC 9112, 7.1), whose extensions and trailers nobody reads.
class ChunkedBody {
 public:
  explicit ChunkedBody(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // The next bytes; returns how many of them belong to the body: fewer than all once it is complete. Throws
  // RequestError 400 for what is no chunk, 413 for too many bytes.
  std::size_t add(std::string_view bytes);
  bool is_complete() const { return state_ == State::complete; }
  std::string& content() { return content_; }
  const std::string& content() const { return content_; }

 private:
  enum class State : std::uint8_t { size, data, data_end, trailer, complete };
  bool take_line(std::string_view bytes, std::size_t& at);
  void read_size();

  std::size_t max_bytes_;
  std::string content_;
  State state_ = State::size;
  std::string line_;          // as far as it has come
  std::uint64_t left_ = 0;    // of the chunk
  std::size_t trailers_ = 0;  // bytes of them
};

}  // namespace copse
