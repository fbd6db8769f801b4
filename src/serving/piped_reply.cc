#include "serving/piped_reply.h"

#include <chrono>
#include <utility>

namespace copse {
namespace {

constexpr std::size_t kMostUntaken = std::size_t{256} << 10;

}  // namespace

void PipedReply::send(ReplyHead head, std::string body) {
  const std::lock_guard lock(mutex_);
  head_ = std::move(head);
  body_ = std::move(body);
  has_head_ = true;
  changed_.notify_all();
}

void PipedReply::start(ReplyHead head) {
  const std::lock_guard lock(mutex_);
  head_ = std::move(head);
  has_head_ = true;
  is_streaming_ = true;
  changed_.notify_all();
}

void PipedReply::write(std::string piece) {
  std::unique_lock lock(mutex_);
  while (body_.size() >= kMostUntaken && !is_given_up_ && !takes_all_) {
    if (deadline_.is_over()) throw ClientGone();
    changed_.wait_for(lock, std::chrono::milliseconds(100));
  }
  if (is_given_up_) throw ClientGone();
  body_ += piece;
  changed_.notify_all();
}

void PipedReply::finish() {
  const std::lock_guard lock(mutex_);
  is_complete_ = true;
  changed_.notify_all();
}

bool PipedReply::has_begun() const {
  const std::lock_guard lock(mutex_);
  return has_head_;
}

ReplyHead PipedReply::wait_for_head() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_head_ || is_complete_; });
  return head_;
}

bool PipedReply::is_streaming() const {
  const std::lock_guard lock(mutex_);
  return is_streaming_;
}

std::string PipedReply::wait_for_all() {
  std::unique_lock lock(mutex_);
  takes_all_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return is_complete_; });
  return std::move(body_);
}

bool PipedReply::wait_for_piece(std::string& piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !body_.empty() || is_complete_; });
  piece.clear();
  std::swap(piece, body_);
  changed_.notify_all();
  return !piece.empty();
}

void PipedReply::give_up() {
  const std::lock_guard lock(mutex_);
  is_given_up_ = true;
  body_.clear();
  changed_.notify_all();
}

void PipedReply::wait_for_end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_complete_; });
}

}  // namespace copse
