#include "serving/event_poll.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

constexpr std::chrono::milliseconds kLongest{60'000};

OwnedDescriptor expect_open(int descriptor) {
  if (descriptor < 0) {
    throw DataError(fmt::format("cannot wait for connections ({})", std::strerror(errno)));
  }
  return OwnedDescriptor(descriptor);
}

}  // namespace

EventPoll::EventPoll() : descriptor_(expect_open(::epoll_create1(EPOLL_CLOEXEC))) {}

void EventPoll::add(int descriptor, std::uint64_t number, Interest interest) {
  control(EPOLL_CTL_ADD, descriptor, number, interest);
}

void EventPoll::change(int descriptor, std::uint64_t number, Interest interest) {
  control(EPOLL_CTL_MOD, descriptor, number, interest);
}

void EventPoll::control(int operation, int descriptor, std::uint64_t number, Interest interest) {
  epoll_event event{};
  if (interest.reads) event.events |= EPOLLIN;
  if (interest.writes) event.events |= EPOLLOUT;
  event.data.u64 = number;
  if (::epoll_ctl(descriptor_.get(), operation, descriptor, &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
}

std::span<const EventPoll::Event> EventPoll::wait(std::chrono::steady_clock::time_point end) {
  const auto now = std::chrono::steady_clock::now();
  const auto left = end > now + kLongest ? kLongest : std::chrono::ceil<std::chrono::milliseconds>(end - now);
  const int count = ::epoll_wait(descriptor_.get(), raw_.data(), static_cast<int>(raw_.size()),
                                 static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
  events_.clear();
  for (const epoll_event& event : std::span(raw_).first(static_cast<std::size_t>(std::max(count, 0)))) {
    events_.push_back({event.data.u64, (event.events & EPOLLIN) != 0, (event.events & EPOLLOUT) != 0,
                       (event.events & (EPOLLERR | EPOLLHUP)) != 0});
  }
  return events_;
}

Mailbox::Mailbox() : descriptor_(expect_open(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {}

void Mailbox::post(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    numbers_.push_back(number);
    if (numbers_.size() > 1) return;  // whoever posted the first has woken the thread
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(descriptor_.get(), &one, sizeof(one));
}

std::vector<std::uint64_t> Mailbox::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t ignored = ::read(descriptor_.get(), &count, sizeof(count));
  const std::lock_guard lock(mutex_);
  return std::exchange(numbers_, {});
}

}  // namespace copse
