#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace copse {

// A file descriptor of our own, closed with this object.
class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor();

  int get() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

// A connection to a client. No function waits.
class Socket {
 public:
  explicit Socket(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  enum class Received : std::uint8_t { bytes, nothing_yet, end };
  // Reads into `buffer`; `bytes` is what came. A broken connection has ended.
  Received receive(std::span<char> buffer, std::string_view& bytes);

  // To be sent as far as the client takes it, by send() and later calls of it.
  void queue(std::string bytes);
  // Sends what it can. False if the connection is broken.
  bool send();
  std::size_t unsent() const { return unsent_; }
  std::int64_t sent() const { return sent_; }  // since the beginning

  // The client is told that nothing more will come.
  void end_sending();

  int descriptor() const { return descriptor_.get(); }

 private:
  OwnedDescriptor descriptor_;
  std::deque<std::string> pieces_;
  std::size_t begin_ = 0;  // of the first piece: bytes before it have been sent
  std::size_t unsent_ = 0;
  std::int64_t sent_ = 0;
};

// Connections that the system allows: raises the limit of open files as far as that is possible, and leaves
// some for others than connections.
std::size_t allowed_connections();

// Listens for connections. `port` 0 is any that is free. Throws DataError if it cannot be had.
OwnedDescriptor listen_on(const std::string& host, int port);
int port_of(const OwnedDescriptor& listener);
// Whether the host is an address, or a name that has one.
bool has_address(const std::string& host);

// The next connection that waits, and the address of the client.
struct Accepted {
  OwnedDescriptor descriptor;
  std::string client;
  int error = 0;  // of accept4(); then there is no descriptor
};
Accepted accept_connection(const OwnedDescriptor& listener);

}  // namespace copse
