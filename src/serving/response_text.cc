#include "serving/response_text.h"

#include <fmt/format.h>

namespace copse {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Entity";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string response_head(const ReplyHead& head, const ResponseFraming& framing) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", head.status, reason(head.status));
  if (!head.content_type.empty()) append_header(text, "Content-Type", head.content_type);
  for (const auto& [name, value] : head.headers) append_header(text, name, value);
  for (const auto& [name, value] : framing.headers) append_header(text, name, value);
  if (!framing.length) {
    append_header(text, "Transfer-Encoding", "chunked");
  } else if (head.status != 204 && head.status != 304) {  // which have no body, and no length of one
    append_header(text, "Content-Length", std::to_string(*framing.length));
  }
  if (!framing.keeps_alive) {
    append_header(text, "Connection", "close");
    return text + "\r\n";
  }
  if (framing.says_keep_alive) append_header(text, "Connection", "keep-alive");
  append_header(text, "Keep-Alive",
                fmt::format("timeout={}", std::chrono::floor<std::chrono::seconds>(framing.idle).count()));
  return text + "\r\n";
}

std::string response_chunk(std::string_view bytes) {
  std::string text = fmt::format("{:x}\r\n", bytes.size());
  text.append(bytes).append("\r\n");
  return text;
}

}  // namespace copse
