#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "serving/request_head.h"

namespace copse {

// Makes requests of what a client sends, in whatever pieces the bytes come. Knows no socket and no clock.
class RequestReader {
 public:
  explicit RequestReader(std::size_t max_body) : max_body_(max_body) {}

  void add(std::string_view bytes);
  // The next request with its body; nothing until all of it has come. Throws RequestError for what is no
  // request, or too large; nothing more can be read then.
  std::optional<RequestHead> next();

  // Whether a part of a request has come, and not yet all of it. Line breaks, as some clients send them
  // behind a body, are none.
  bool has_begun() const;
  // Whether the client waits for a word before it sends the body; true once for each request.
  bool wants_continue();
  // Bytes that are kept until the request is complete.
  std::size_t size() const;
  // The path of the request that has begun, as far as it is known.
  std::string path() const;

 private:
  bool take_head();
  bool take_body();

  std::size_t max_body_;
  std::string buffer_;               // what has come and is not yet part of a request
  std::size_t searched_ = 0;         // bytes of it that do not have the end of a head
  std::optional<RequestHead> head_;  // of the request whose body is being read
  std::optional<ChunkedBody> chunks_;
  bool wants_continue_ = false;
};

}  // namespace copse
