#include "serving/request_head.h"

#include <fmt/format.h>

#include <algorithm>

#include "serving/form.h"
#include "serving/media_type.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kLongestChunkLine = 1024;
constexpr std::size_t kLongestTrailers = 8192;

// tchar of RFC 9110.
bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void read_request_line(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    throw RequestError(400, fmt::format("{} is no request", copse::quoted(line)));
  }
  const std::string_view method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method)) throw RequestError(400, fmt::format("{} is no method", copse::quoted(method)));
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    throw RequestError(version.starts_with("HTTP/") ? 505 : 400,
                       fmt::format("{} is not understood; use HTTP/1.1", copse::quoted(version)));
  }
  head.is_http_1_0 = version == "HTTP/1.0";
  head.keeps_alive = !head.is_http_1_0;
  head.request.method = method;
  // What proxies are asked: http://host/path.
  if (const std::size_t scheme = target.find("://"); scheme != std::string_view::npos && target[0] != '/') {
    target.remove_prefix(std::min(target.find_first_of("/?", scheme + 3), target.size()));
    if (target.empty()) target = "/";
  }
  const std::size_t mark = target.find('?');
  if (mark != std::string_view::npos) head.request.query = target.substr(mark + 1);
  std::optional<std::string> path = normal_path(target.substr(0, mark));
  if (!path) throw RequestError(400, fmt::format("{} is no path", copse::quoted(target)));
  head.request.path = std::move(*path);
}

void read_header(std::string_view line, RequestHead& head) {
  const std::size_t colon = line.find(':');
  // A space before the colon, or at the beginning (a folded line), is understood in different ways.
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    throw RequestError(400, fmt::format("{} is no header", copse::quoted(line)));
  }
  const std::string_view value = trimmed(line.substr(colon + 1));
  const bool is_text = std::none_of(value.begin(), value.end(),
                                    [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7F; });
  if (!is_text) throw RequestError(400, fmt::format("{} has control characters", copse::quoted(line)));
  head.request.headers.emplace_back(line.substr(0, colon), value);
}

// A list of one word.
void read_transfer_coding(std::string_view value, RequestHead& head) {
  if (lower_ascii(value) != "chunked" || head.is_chunked) {
    throw RequestError(
        501, fmt::format("the Transfer-Encoding {} is not understood; use chunked", copse::quoted(value)));
  }
  if (head.is_http_1_0) throw RequestError(400, "HTTP/1.0 has no chunks; send a Content-Length");
  head.is_chunked = true;
}

std::uint64_t parse_length(std::string_view value) {
  const bool is_number = !value.empty() && value.size() <= 18 &&
                         std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number)
    throw RequestError(400, fmt::format("the Content-Length {} is no number", copse::quoted(value)));
  return std::stoull(std::string(value));
}

void read_connection(std::string_view value, RequestHead& head) {
  while (!value.empty()) {
    const std::string_view option = value.substr(0, value.find(','));
    value.remove_prefix(std::min(value.size(), option.size() + 1));
    const std::string name = lower_ascii(trimmed(option));
    if (name == "close") head.keeps_alive = false;
    if (name == "keep-alive" && head.is_http_1_0) head.keeps_alive = true;
  }
}

}  // namespace

std::optional<std::size_t> head_length(std::string_view text, std::size_t searched) {
  // Empty lines in front; and the end may have begun in the last two bytes that were searched.
  std::size_t at = std::min(text.find_first_not_of("\r\n"), text.size());
  at = std::max(at, searched < 2 ? 0 : searched - 2);
  while ((at = text.find('\n', at)) != std::string_view::npos) {
    ++at;
    if (text.substr(at, 1) == "\n") return at + 1;
    if (text.substr(at, 2) == "\r\n") return at + 2;
  }
  return std::nullopt;
}

std::string_view requested_path(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  std::string_view line = take_line(text);
  line.remove_prefix(std::min(line.find(' '), line.size()));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.substr(0, line.find_first_of(" ?"));
}

std::optional<std::string> normal_path(std::string_view path) {
  std::optional<std::string> decoded = percent_decoded(path, PlusSigns::are_themselves);
  if (!decoded || !decoded->starts_with('/') || !is_valid_utf8(*decoded)) return std::nullopt;
  std::string normal;
  for (const char c : *decoded) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) return std::nullopt;
    if (c == '/' && normal.ends_with('/')) continue;
    normal += c;
  }
  return normal;
}

RequestHead parse_request_head(std::string_view text) {
  RequestHead head;
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  read_request_line(take_line(text), head);
  for (std::string_view line = take_line(text); !line.empty(); line = take_line(text)) {
    read_header(line, head);
  }
  std::optional<std::uint64_t> length;
  int hosts = 0;
  for (const auto& [name, value] : head.request.headers) {
    const std::string lower = lower_ascii(name);
    if (lower == "content-length") {
      if (length) throw RequestError(400, "there are two headers Content-Length");
      length = parse_length(value);
    } else if (lower == "transfer-encoding") {
      read_transfer_coding(value, head);
    } else if (lower == "connection") {
      read_connection(value, head);
    } else if (lower == "expect") {
      if (lower_ascii(value) != "100-continue") {
        throw RequestError(417, fmt::format("what {} expects is unknown", copse::quoted(value)));
      }
      head.expects_continue = !head.is_http_1_0;
    } else if (lower == "host") {
      ++hosts;
    }
  }
  if (hosts > 1) throw RequestError(400, "there are two headers Host");
  if (hosts == 0 && !head.is_http_1_0) {
    throw RequestError(400, "the header Host is missing, which HTTP/1.1 requires");
  }
  if (length && head.is_chunked) {
    throw RequestError(400, "there are both Content-Length and Transfer-Encoding; leave out one");
  }
  head.content_length = length.value_or(0);
  return head;
}

// Takes what belongs to a line; whether it is complete then.
bool ChunkedBody::take_line(std::string_view bytes, std::size_t& at) {
  const std::size_t end = bytes.find('\n', at);
  line_ += bytes.substr(at, end == std::string_view::npos ? end : end - at);
  at = end == std::string_view::npos ? bytes.size() : end + 1;
  if (line_.size() > kLongestChunkLine) throw RequestError(400, "a line between chunks is too long");
  if (end == std::string_view::npos) return false;
  if (line_.ends_with('\r')) line_.pop_back();
  return true;
}

void ChunkedBody::read_size() {
  const std::string_view digits =
      trimmed(std::string_view(line_).substr(0, std::min(line_.find(';'), line_.size())));
  const bool is_number = !digits.empty() && digits.size() <= 15 &&
                         digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!is_number) throw RequestError(400, fmt::format("{} is not the size of a chunk", copse::quoted(line_)));
  left_ = std::stoull(std::string(digits), nullptr, 16);
  if (left_ > max_bytes_ - content_.size()) {
    throw RequestError(413, fmt::format("the body is longer than {} bytes; send less at a time", max_bytes_));
  }
  state_ = left_ == 0 ? State::trailer : State::data;
}

std::size_t ChunkedBody::add(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ != State::complete) {
    if (state_ == State::data) {
      const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - at));
      content_ += bytes.substr(at, count);
      at += count;
      left_ -= count;
      if (left_ == 0) state_ = State::data_end;
      continue;
    }
    if (!take_line(bytes, at)) break;
    if (state_ == State::size) {
      read_size();
    } else if (state_ == State::data_end) {
      if (!line_.empty()) throw RequestError(400, "a chunk is longer than it says");
      state_ = State::size;
    } else if (line_.empty()) {
      state_ = State::complete;
    } else if ((trailers_ += line_.size()) > kLongestTrailers) {
      throw RequestError(400, "the trailers of the body are too long");
    }
    line_.clear();
  }
  return at;
}

}  // namespace copse
