#include "serving/socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "copse/setting_error.h"

namespace copse {
namespace {

constexpr int kBacklog = 4096;                 // connections that the system accepts before we do
constexpr std::size_t kOtherDescriptors = 64;  // models, logs, libraries
constexpr std::size_t kLargePiece = std::size_t{64} << 10;

struct AddressesDeleter {
  void operator()(addrinfo* first) const { ::freeaddrinfo(first); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesDeleter>;

// Null if the host has none.
Addresses find_addresses(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return nullptr;
  return Addresses(found);
}

void set_option(int descriptor, int level, int option, int value) {
  ::setsockopt(descriptor, level, option, &value, sizeof(value));
}

OwnedDescriptor listen_at(const addrinfo& address) {
  OwnedDescriptor listener(
      ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (listener.get() < 0) return listener;
  // Not SO_REUSEPORT, which lets two servers share a port without a word.
  set_option(listener.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.ai_family == AF_INET6) set_option(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (::bind(listener.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(listener.get(), kBacklog) != 0) {
    const int error = errno;  // closing may change it
    listener = {};
    errno = error;
  }
  return listener;
}

}  // namespace

OwnedDescriptor::~OwnedDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Socket::Received Socket::receive(std::span<char> buffer, std::string_view& bytes) {
  while (true) {
    const ssize_t count = ::recv(descriptor_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) {
      bytes = {buffer.data(), static_cast<std::size_t>(count)};
      return Received::bytes;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Received::nothing_yet;
    return Received::end;
  }
}

void Socket::queue(std::string bytes) {
  if (bytes.empty()) return;
  unsent_ += bytes.size();
  // Small ones go out together.
  if (!pieces_.empty() && pieces_.back().size() + bytes.size() <= kLargePiece) {
    pieces_.back() += bytes;
  } else {
    pieces_.push_back(std::move(bytes));
  }
}

bool Socket::send() {
  while (!pieces_.empty()) {
    const std::string_view rest = std::string_view(pieces_.front()).substr(begin_);
    const ssize_t count = ::send(descriptor_.get(), rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    begin_ += static_cast<std::size_t>(count);
    unsent_ -= static_cast<std::size_t>(count);
    sent_ += count;
    if (begin_ == pieces_.front().size()) {
      pieces_.pop_front();
      begin_ = 0;
    }
  }
  return true;
}

void Socket::end_sending() { ::shutdown(descriptor_.get(), SHUT_WR); }

std::size_t allowed_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  const auto files = static_cast<std::size_t>(limit.rlim_cur);
  return files - std::min(files, kOtherDescriptors);
}

OwnedDescriptor listen_on(const std::string& host, int port) {
  errno = 0;
  OwnedDescriptor listener;
  const Addresses addresses = find_addresses(host, port);
  for (const addrinfo* address = addresses.get(); address != nullptr && listener.get() < 0;
       address = address->ai_next) {
    listener = listen_at(*address);
  }
  if (listener.get() >= 0) return listener;
  throw SettingError(fmt::format("cannot listen on {}:{}{}; choose another host or port", host, port,
                                 errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))),
                     "port");
}

int port_of(const OwnedDescriptor& listener) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  const in_port_t port = address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                                       : reinterpret_cast<sockaddr_in&>(address).sin_port;
  return ntohs(port);
}

bool has_address(const std::string& host) { return !host.empty() && find_addresses(host, 0) != nullptr; }

Accepted accept_connection(const OwnedDescriptor& listener) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  Accepted accepted;
  accepted.descriptor = OwnedDescriptor(::accept4(listener.get(), reinterpret_cast<sockaddr*>(&address),
                                                  &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (accepted.descriptor.get() < 0) {
    accepted.error = errno;
    return accepted;
  }
  set_option(accepted.descriptor.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  std::array<char, NI_MAXHOST> name{};
  if (::getnameinfo(reinterpret_cast<sockaddr*>(&address), length, name.data(), name.size(), nullptr, 0,
                    NI_NUMERICHOST) == 0) {
    accepted.client = name.data();
  }
  return accepted;
}

}  // namespace copse
