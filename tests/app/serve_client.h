#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

namespace copse::testing {

// An answer over HTTP, taken apart.
struct HttpAnswer {
  int status = 0;  // 0: none came
  std::string head;
  std::string body;  // chunks put together

  bool has(std::string_view header) const { return head.find(header) != std::string::npos; }
};

// A socket to a server on this machine; what is sent over it need not be HTTP.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_connected() const { return is_connected_; }

  // False if the server has closed the connection.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  void close_sending() const { ::shutdown(socket_, SHUT_WR); }

  // The next answer of the connection. Waits for twenty seconds.
  HttpAnswer read_answer() {
    HttpAnswer answer;
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_more()) return answer;
    }
    answer.head = take(end + 4);
    answer.status = std::atoi(answer.head.c_str() + answer.head.find(' '));
    if (answer.status == 100) return read_answer();
    const std::size_t length = answer.head.find("Content-Length: ");
    if (length != std::string::npos) {
      const auto count = static_cast<std::size_t>(std::atoll(answer.head.c_str() + length + 16));
      while (buffer_.size() < count && read_more()) {
      }
      answer.body = take(count);
    } else if (answer.has("Transfer-Encoding: chunked")) {
      while (true) {
        while (buffer_.find("\r\n") == std::string::npos && read_more()) {
        }
        const std::size_t count = std::strtoull(buffer_.c_str(), nullptr, 16);
        take(buffer_.find("\r\n") + 2);
        while (buffer_.size() < count + 2 && read_more()) {
        }
        answer.body += take(count);
        take(2);
        if (count == 0) break;
      }
    }
    return answer;
  }

  // Whether this comes, as part of an answer that may not be complete.
  bool sees(std::string_view text) {
    while (buffer_.find(text) == std::string::npos) {
      if (!read_more()) return false;
    }
    return true;
  }

  // Whether the server closes the connection, without sending anything more.
  bool is_closed() {
    buffer_.clear();
    return !read_more() && has_ended_;
  }

 private:
  std::string take(std::size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }
  bool read_more() {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, 20'000) != 1) return false;
    std::array<char, 65536> bytes;
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    has_ended_ = count <= 0;
    if (count <= 0) return false;
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  bool is_connected_ = false;
  bool has_ended_ = false;
  std::string buffer_;
};

}  // namespace copse::testing
