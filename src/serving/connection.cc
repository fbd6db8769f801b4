#include "serving/connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "serving/request_error.h"

namespace copse {
namespace {

constexpr std::size_t kLongestHead = std::size_t{64} << 10;  // with a query, which may hold a text
constexpr std::chrono::milliseconds kBetweenLooks{200};      // at whether the server stops
constexpr std::chrono::milliseconds kLinger{1000};
constexpr std::size_t kSlowestLine = 16;  // bytes per millisecond
constexpr std::size_t kMostLingering = std::size_t{1} << 20;

// Whether something can be read or written before `end`.
bool wait_until(int socket, short events, std::chrono::steady_clock::time_point end) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd waiting{socket, events, 0};
    const int count = ::poll(&waiting, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (count > 0) return true;
    if (count == 0 && left <= 60'000) return false;
    if (count < 0 && errno != EINTR) return false;
  }
}

}  // namespace

Connection::Connection(int socket, const ConnectionLimits& limits, std::function<bool()> is_stopping)
    : socket_(socket), limits_(limits), is_stopping_(std::move(is_stopping)) {}

Connection::Got Connection::receive(Clock::time_point end) {
  std::array<char, 16384> bytes;
  while (true) {
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) {
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
      return Got::bytes;
    }
    if (count == 0) return Got::end;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Got::end;
    if (!wait_until(socket_, POLLIN, end)) return Got::nothing;
  }
}

void Connection::read_more(Clock::time_point end) {
  Got got = Got::nothing;
  while (got == Got::nothing) {
    if (Clock::now() >= end) throw RequestError(408, "the request took too long to come");
    if (is_stopping_()) throw RequestError(503, "the server is stopping");
    got = receive(std::min(end, Clock::now() + kBetweenLooks));
  }
  if (got == Got::end) throw RequestError(400, "the request ends in the middle");
}

std::optional<RequestHead> Connection::read_request() {
  const Clock::time_point idle_end = Clock::now() + limits_.idle;
  while (buffer_.empty()) {
    if (is_stopping_()) return std::nullopt;
    const Got got = receive(std::min(idle_end, Clock::now() + kBetweenLooks));
    if (got == Got::end || (got == Got::nothing && Clock::now() >= idle_end)) return std::nullopt;
  }
  const Clock::time_point end = Clock::now() + limits_.request;
  std::optional<std::size_t> length;
  while (!(length = head_length(buffer_))) {
    if (buffer_.size() > kLongestHead) break;
    // Line breaks alone, as some clients send them behind a body, are not yet a request.
    if (buffer_.find_first_not_of("\r\n") == std::string::npos) {
      const Got got = receive(end);
      if (got != Got::bytes) return std::nullopt;
      continue;
    }
    read_more(end);
  }
  if (length.value_or(buffer_.size()) > kLongestHead) {
    throw RequestError(431, fmt::format("the headers of the request are longer than {} bytes", kLongestHead));
  }
  RequestHead head = parse_request_head(std::string_view(buffer_).substr(0, *length));
  buffer_.erase(0, *length);
  if (head.has_body()) read_body(head, end);
  return head;
}

void Connection::read_body(RequestHead& head, Clock::time_point end) {
  if (head.content_length > limits_.max_body) {
    throw RequestError(
        413, fmt::format("the body is longer than {} bytes; send less at a time, or raise --max-body",
                         limits_.max_body));
  }
  if (head.expects_continue && buffer_.empty() && !write("HTTP/1.1 100 Continue\r\n\r\n")) {
    throw RequestError(408, "the client has gone");
  }
  std::string& body = head.request.body;
  if (head.is_chunked) {
    ChunkedBody chunks(limits_.max_body);
    while (true) {
      buffer_.erase(0, chunks.add(buffer_));
      if (chunks.is_complete()) break;
      read_more(end);
    }
    body = std::move(chunks.content());
    return;
  }
  const auto length = static_cast<std::size_t>(head.content_length);
  while (buffer_.size() < length) read_more(end);
  if (buffer_.size() == length) {
    body = std::move(buffer_);
    buffer_ = {};
  } else {
    body = buffer_.substr(0, length);
    buffer_.erase(0, length);
  }
}

bool Connection::write(std::string_view bytes) {
  const Clock::time_point end =
      Clock::now() + limits_.write + std::chrono::milliseconds(bytes.size() / kSlowestLine);
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      written_ += count;
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (!wait_until(socket_, POLLOUT, end)) return false;
  }
  return true;
}

void Connection::linger() {
  ::shutdown(socket_, SHUT_WR);
  const Clock::time_point end = Clock::now() + kLinger;
  for (std::size_t count = 0; count < kMostLingering && Clock::now() < end; count += buffer_.size()) {
    buffer_.clear();
    if (receive(end) != Got::bytes) return;
  }
}

}  // namespace copse
