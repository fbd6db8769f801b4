#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "serving/request_head.h"

namespace copse {

struct ConnectionLimits {
  std::size_t max_body = 0;
  std::chrono::milliseconds idle{0};     // until the first byte of a request
  std::chrono::milliseconds request{0};  // from there to its last byte
  std::chrono::milliseconds write{
      0};  // until bytes are written, beside the time that they take on a slow line
};

// A socket that requests are read from and answers are written to. All times are bounded, and so is what is
// kept of a request, whatever the client sends.
class Connection {
 public:
  // Borrows the socket. `is_stopping` is asked while nothing comes: then there is no next request, and one
  // that has begun is refused.
  Connection(int socket, const ConnectionLimits& limits, std::function<bool()> is_stopping);

  // The next request with its body; nothing if the client has gone, or has not sent anything in time. Throws
  // RequestError for what is no request, too large, or takes too long; nothing more can be read then.
  std::optional<RequestHead> read_request();

  // Whether all of it could be written.
  bool write(std::string_view bytes);
  std::int64_t written() const { return written_; }

  // After an error: reads and forgets for a moment what the client still sends. A socket that is closed while
  // bytes wait in it takes the answer along.
  void linger();

 private:
  enum class Got : std::uint8_t { bytes, nothing, end };
  using Clock = std::chrono::steady_clock;

  Got receive(Clock::time_point end);
  void read_more(Clock::time_point end);
  void read_body(RequestHead& head, Clock::time_point end);

  int socket_;
  ConnectionLimits limits_;
  std::function<bool()> is_stopping_;
  std::string buffer_;  // what has come and is not yet part of a request
  std::int64_t written_ = 0;
};

}  // namespace copse
