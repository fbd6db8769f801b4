#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "serving/deadline.h"
#include "serving/reply.h"

namespace copse {

// A reply that a worker gives, and the thread of a connection takes. What has been written and not yet taken
// is bounded: a worker waits for a client that reads slowly, but not longer than the request may take.
class PipedReply : public Reply {
 public:
  explicit PipedReply(const Deadline& deadline) : deadline_(deadline) {}

  // By the worker.
  void send(ReplyHead head, std::string body) override;
  void start(ReplyHead head) override;
  void write(std::string piece) override;
  // At the end in any case; until then the other thread waits.
  void finish();
  // Whether send() or start() have been called.
  bool has_begun() const;

  // By the thread of the connection. Waits for the head of the reply, or the end without one (status 0).
  ReplyHead wait_for_head();
  // Whether the body comes in pieces.
  bool is_streaming() const;
  // Waits until the reply is complete, and gives what is left of its body.
  std::string wait_for_all();
  // Waits for the next piece; false at the end.
  bool wait_for_piece(std::string& piece);
  // Nobody takes pieces any more: the worker is told.
  void give_up();
  void wait_for_end();

 private:
  Deadline deadline_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  ReplyHead head_ = {.status = 0};
  std::string body_;
  bool has_head_ = false;
  bool is_streaming_ = false;
  bool is_complete_ = false;
  bool is_given_up_ = false;
  bool takes_all_ = false;  // somebody waits for the whole
};

}  // namespace copse
