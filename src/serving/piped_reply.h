#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "serving/reply.h"

namespace copse {

// A reply that a worker gives, and the thread of the connections takes. Neither waits for the other: each is
// told when there is something to do.
class PipedReply : public Reply {
 public:
  // `on_progress` is called by the worker whenever there is more to take, `on_room` by the other thread when
  // a reply that was full is so no more. Neither may call this reply.
  PipedReply(std::function<void()> on_progress, std::function<void()> on_room)
      : on_progress_(std::move(on_progress)), on_room_(std::move(on_room)) {}

  // By the worker. All may throw ClientGone.
  void send(ReplyHead head, std::string body) override;
  void start(ReplyHead head) override;
  void write(std::string piece) override;
  // At the end in any case.
  void finish();
  // Whether send() or start() have been called.
  bool has_begun() const;
  // Whether so much waits to be taken that the worker had better do something else.
  bool is_full() const;
  // Throws ClientGone if nobody wants the rest.
  void expect_client() const;

  // By the thread of the connections. Of a reply that has begun, or is complete without a head (status 0).
  ReplyHead head() const;
  // Whether the body comes in pieces.
  bool is_streaming() const;
  bool is_complete() const;
  // The next bytes of the body; whether more may come.
  bool take(std::string& piece);
  // The reply is taken when it is complete, however much that is.
  void expect_whole();
  // Nobody takes any more: the worker is told.
  void give_up();

 private:
  bool is_full_now() const;

  std::function<void()> on_progress_;
  std::function<void()> on_room_;
  mutable std::mutex mutex_;
  ReplyHead head_ = {.status = 0};
  std::string body_;
  bool has_head_ = false;
  bool is_streaming_ = false;
  bool is_complete_ = false;
  bool is_given_up_ = false;
  bool is_taken_whole_ = false;
};

}  // namespace copse
