#include "serving/piped_reply.h"

#include <utility>

namespace copse {
namespace {

constexpr std::size_t kMostUntaken = std::size_t{256} << 10;

}  // namespace

void PipedReply::send(ReplyHead head, std::string body) {
  expect_client();
  const std::lock_guard lock(mutex_);
  head_ = std::move(head);
  body_ = std::move(body);
  has_head_ = true;
}

void PipedReply::start(ReplyHead head) {
  expect_client();
  const std::lock_guard lock(mutex_);
  head_ = std::move(head);
  has_head_ = true;
  is_streaming_ = true;
}

void PipedReply::write(std::string piece) {
  expect_client();
  {
    const std::lock_guard lock(mutex_);
    body_ += piece;
  }
  on_progress_();
}

void PipedReply::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_complete_ = true;
  }
  on_progress_();
}

bool PipedReply::has_begun() const {
  const std::lock_guard lock(mutex_);
  return has_head_;
}

bool PipedReply::is_full() const {
  const std::lock_guard lock(mutex_);
  return is_full_now();
}

bool PipedReply::is_full_now() const {
  return body_.size() >= kMostUntaken && !is_given_up_ && !is_taken_whole_;
}

void PipedReply::expect_client() const {
  const std::lock_guard lock(mutex_);
  if (is_given_up_) throw ClientGone();
}

ReplyHead PipedReply::head() const {
  const std::lock_guard lock(mutex_);
  return head_;
}

bool PipedReply::is_streaming() const {
  const std::lock_guard lock(mutex_);
  return is_streaming_;
}

bool PipedReply::is_complete() const {
  const std::lock_guard lock(mutex_);
  return is_complete_;
}

bool PipedReply::take(std::string& piece) {
  bool was_full = false;
  bool is_complete = false;
  {
    const std::lock_guard lock(mutex_);
    was_full = is_full_now();
    is_complete = is_complete_;
    piece = std::exchange(body_, {});
  }
  if (was_full) on_room_();
  return !is_complete;
}

void PipedReply::expect_whole() {
  bool was_full = false;
  {
    const std::lock_guard lock(mutex_);
    was_full = is_full_now();
    is_taken_whole_ = true;
  }
  if (was_full) on_room_();
}

void PipedReply::give_up() {
  {
    const std::lock_guard lock(mutex_);
    is_given_up_ = true;
    body_.clear();
  }
  on_room_();
}

}  // namespace copse
