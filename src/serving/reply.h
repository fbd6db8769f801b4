#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace copse {

struct ReplyHead {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};  // beyond those that every reply has
};

// Thrown by Reply::write() when the client has gone, or takes too long to read: nobody wants the rest.
class ClientGone : public std::runtime_error {
 public:
  ClientGone() : std::runtime_error("the client has gone") {}
};

// What a handler answers with: one call of send(); or start() and then write() as often as there is
// something, for answers that begin before they are complete. Errors before either are thrown (RequestError,
// DataError), and become replies; after start() they can only be told by what is written.
class Reply {
 public:
  virtual ~Reply() = default;
  virtual void send(ReplyHead head, std::string body) = 0;
  virtual void start(ReplyHead head) = 0;
  // Throws ClientGone.
  virtual void write(std::string piece) = 0;
};

// Keeps what is answered, for tests.
struct RecordedReply : Reply {
  ReplyHead head = {.status = 0};  // until something has been answered
  std::string body;
  std::vector<std::string> pieces;  // what write() was given, which the body is made of
  bool was_started = false;

  void send(ReplyHead new_head, std::string new_body) override {
    head = std::move(new_head);
    body = std::move(new_body);
  }
  void start(ReplyHead new_head) override {
    head = std::move(new_head);
    was_started = true;
  }
  void write(std::string piece) override {
    body += piece;
    pieces.push_back(std::move(piece));
  }
};

}  // namespace copse
