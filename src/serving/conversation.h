#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "serving/access_log.h"
#include "serving/request_reader.h"
#include "serving/service.h"
#include "serving/socket.h"

namespace copse {

struct ConversationLimits {
  std::size_t max_body = 0;
  std::chrono::milliseconds idle{0};     // until the first byte of a request
  std::chrono::milliseconds request{0};  // from there to its last byte
  // Until an answer is taken, besides the time that it takes on a slow line.
  std::chrono::milliseconds write{0};
};

// What all conversations of a server have in common. They run on one thread.
struct ConversationHub {
  Service& service;
  AccessLog* log;  // may be null
  ConversationLimits limits;
  std::span<char> buffer;            // for what is read, for a moment
  std::size_t most_unfinished = 0;   // bytes of requests that are not complete, of all clients
  std::size_t unfinished_bytes = 0;  // that there are
  std::size_t most_unsent = 0;       // bytes of answers for which slow lines get more time
  std::size_t unsent_bytes = 0;      // that there are
  bool is_stopping = false;
};

// Requests and answers of one client in turn. Nothing here waits: the server calls what has happened, and
// asks what to wait for next. All times are bounded, and so is what is kept, whatever the client does.
class Conversation {
 public:
  using Clock = std::chrono::steady_clock;

  // Borrows the hub. `on_progress` may be called by any thread, and asks for a call of proceed() soon.
  Conversation(OwnedDescriptor descriptor, std::string client, ConversationHub& hub,
               std::function<void()> on_progress);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // What has happened.
  void read();       // bytes have come, or their end
  void proceed();    // bytes can be sent, or there is more to send
  void break_off();  // the connection is broken
  void expire();     // the deadline is over
  void stop();       // the server ends: no further request, and one that has begun is refused
  void refuse(int status, const std::string& message);  // instead of a request

  // What it waits for.
  bool wants_to_read() const { return phase_ == Phase::reading || phase_ == Phase::lingering; }
  bool wants_to_write() const { return socket_.unsent() > 0; }
  Clock::time_point deadline() const { return deadline_; }
  // Whether a request has been read, or refused, and not all of the answer has been sent.
  bool is_answering() const { return phase_ == Phase::answering; }
  // Whether it waits for the first byte of a request.
  bool is_idle() const { return phase_ == Phase::reading && !reader_.has_begun(); }
  bool is_over() const { return phase_ == Phase::over; }
  int descriptor() const { return socket_.descriptor(); }

 private:
  // After its last answer, the client's bytes are read and forgotten for a moment: a socket that is closed
  // while bytes wait in it takes the answer along.
  enum class Phase : std::uint8_t { reading, answering, lingering, over };

  // An answer that is being given.
  struct Exchange {
    Answer answer = {};
    AccessRecord record = {};
    Clock::time_point begin = Clock::now();
    std::int64_t sent_before = 0;
    bool has_no_chunks = false;
    bool is_head = false;
    bool keeps_alive = false;
    bool says_keep_alive = false;
    bool has_head = false;  // which has been queued
    bool has_all = false;   // of it been queued
  };

  void advance();
  bool take_request();
  void begin_refusal(int status, const std::string& message);
  void begin_answer(RequestHead head);
  void begin_exchange(Exchange exchange);
  bool advance_answer();
  void queue_answer();
  void queue_whole(const ReplyHead& head, std::string body);
  void queue_stream(PipedReply& reply);
  void end_exchange();
  bool send();
  void begin_reading();
  void begin_lingering();
  void end();
  void count_unfinished();
  void count_unsent();
  Clock::time_point write_deadline() const;

  Socket socket_;
  std::string client_;
  ConversationHub& hub_;
  std::function<void()> on_progress_;
  RequestReader reader_;
  Phase phase_ = Phase::reading;
  Clock::time_point deadline_;
  bool has_request_deadline_ = false;
  std::size_t unfinished_ = 0;  // what the hub counts of us
  std::size_t unsent_ = 0;
  std::size_t lingered_ = 0;  // bytes
  std::optional<Exchange> exchange_;
};

}  // namespace copse
