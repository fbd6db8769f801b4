#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include <sys/epoll.h>

#include "serving/socket.h"

namespace copse {

// Waits for many descriptors at once (epoll). Each has a number that its events come back with.
class EventPoll {
 public:
  struct Interest {
    bool reads = false;
    bool writes = false;
    bool operator==(const Interest&) const = default;
  };
  struct Event {
    std::uint64_t number = 0;
    bool can_read = false;
    bool can_write = false;
    bool is_broken = false;  // an error, or both sides have ended
  };

  EventPoll();  // throws DataError if the system has none
  void add(int descriptor, std::uint64_t number, Interest interest);
  void change(int descriptor, std::uint64_t number, Interest interest);
  // What has happened, until `end` at the latest. Descriptors that are closed are forgotten by themselves.
  std::span<const Event> wait(std::chrono::steady_clock::time_point end);

 private:
  void control(int operation, int descriptor, std::uint64_t number, Interest interest);

  static constexpr std::size_t kMostEvents = 512;
  OwnedDescriptor descriptor_;
  std::array<epoll_event, kMostEvents> raw_{};
  std::vector<Event> events_;
};

// Numbers that other threads leave for the one that waits, which wakes up for them.
class Mailbox {
 public:
  Mailbox();  // throws DataError
  int descriptor() const { return descriptor_.get(); }

  void post(std::uint64_t number);  // by any thread
  std::vector<std::uint64_t> take();

 private:
  OwnedDescriptor descriptor_;
  std::mutex mutex_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace copse
