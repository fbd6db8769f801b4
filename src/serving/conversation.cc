#include "serving/conversation.h"

#include <utility>

#include "serving/request_error.h"
#include "serving/response_text.h"

namespace copse {
namespace {

constexpr std::chrono::milliseconds kLinger{1000};
constexpr std::size_t kMostLingering = std::size_t{1} << 20;
constexpr std::size_t kSlowestLine = 16;                      // bytes per millisecond
constexpr std::size_t kMostUnsent = std::size_t{256} << 10;   // of a stream, before more of it is taken
constexpr std::size_t kSmallRequest = std::size_t{16} << 10;  // is read however much others send
constexpr int kMostInARow = 16;                               // answers, before it is the turn of others

}  // namespace

Conversation::Conversation(OwnedDescriptor descriptor, std::string client, ConversationHub& hub,
                           std::function<void()> on_progress)
    : socket_(std::move(descriptor)),
      client_(std::move(client)),
      hub_(hub),
      on_progress_(std::move(on_progress)),
      reader_(hub.limits.max_body) {
  begin_reading();
}

Conversation::~Conversation() {
  try {
    end();
  } catch (const std::exception&) {
    // No memory for a line of the log.
  }
}

void Conversation::begin_reading() {
  phase_ = Phase::reading;
  deadline_ = Clock::now() + hub_.limits.idle;
  has_request_deadline_ = false;
}

void Conversation::read() {
  if (!wants_to_read()) return;
  std::string_view bytes;
  const Socket::Received received = socket_.receive(hub_.buffer, bytes);
  if (received == Socket::Received::nothing_yet) return;
  if (phase_ == Phase::lingering) {
    lingered_ += bytes.size();
    if (received == Socket::Received::end || lingered_ > kMostLingering) end();
  } else if (received == Socket::Received::bytes) {
    reader_.add(bytes);
    advance();
  } else if (reader_.has_begun()) {
    refuse(400, "the request ends in the middle");
  } else {
    end();
  }
}

void Conversation::proceed() { advance(); }

void Conversation::break_off() {
  if (phase_ == Phase::reading) {
    read();  // what came before, and then the end
  } else {
    end();
  }
}

void Conversation::expire() {
  if (phase_ == Phase::reading && reader_.has_begun()) {
    refuse(408, "the request took too long to come");
  } else {
    end();
  }
}

void Conversation::stop() {
  if (phase_ == Phase::lingering) end();
  if (phase_ != Phase::reading) return;
  if (reader_.has_begun()) {
    refuse(503, "the server is stopping");
  } else {
    end();
  }
}

void Conversation::refuse(int status, const std::string& message) {
  begin_refusal(status, message);
  advance();
}

void Conversation::begin_refusal(int status, const std::string& message) {
  begin_exchange(
      {.answer = hub_.service.refusal(status, message, reader_.path()), .record = {.client = client_}});
  reader_ = RequestReader(hub_.limits.max_body);  // nothing more will be read
  count_unfinished();
}

// Does all that can be done without waiting.
void Conversation::advance() {
  for (int count = 0; count < kMostInARow; ++count) {
    if (phase_ == Phase::reading && !take_request()) return;
    if (phase_ != Phase::answering || !advance_answer()) return;
  }
  on_progress_();
}

// Whether there was one, be it as bad as may be.
bool Conversation::take_request() {
  try {
    std::optional<RequestHead> head = reader_.next();
    count_unfinished();
    if (head) {
      begin_answer(std::move(*head));
      return true;
    }
    if (reader_.wants_continue()) socket_.queue("HTTP/1.1 100 Continue\r\n\r\n");
    if (!send()) return false;
    if (!reader_.has_begun()) return false;
    if (hub_.is_stopping) throw RequestError(503, "the server is stopping");
    if (unfinished_ > kSmallRequest && hub_.unfinished_bytes > hub_.most_unfinished) {
      throw RequestError(503, "too many large requests are being sent; ask again in a second");
    }
    if (!std::exchange(has_request_deadline_, true)) deadline_ = Clock::now() + hub_.limits.request;
    return false;
  } catch (const RequestError& error) {
    begin_refusal(error.status(), error.what());
    return true;
  }
}

void Conversation::count_unfinished() {
  hub_.unfinished_bytes -= unfinished_;
  unfinished_ = reader_.size();
  hub_.unfinished_bytes += unfinished_;
}

void Conversation::count_unsent() {
  hub_.unsent_bytes -= unsent_;
  unsent_ = socket_.unsent();
  hub_.unsent_bytes += unsent_;
}

void Conversation::begin_answer(RequestHead head) {
  Exchange exchange{.record = {.client = client_,
                               .method = head.request.method,
                               .path = head.request.path,
                               .bytes_in = static_cast<std::int64_t>(head.request.body.size())}};
  exchange.is_head = head.request.method == "HEAD";
  exchange.has_no_chunks = head.is_http_1_0 || exchange.is_head;
  exchange.keeps_alive = head.keeps_alive;
  exchange.says_keep_alive = head.is_http_1_0;
  exchange.answer = hub_.service.answer(std::move(head.request), on_progress_);
  if (exchange.answer.reply && exchange.has_no_chunks) exchange.answer.reply->expect_whole();
  begin_exchange(std::move(exchange));
}

void Conversation::begin_exchange(Exchange exchange) {
  exchange.sent_before = socket_.sent() + static_cast<std::int64_t>(socket_.unsent());
  exchange_ = std::move(exchange);
  phase_ = Phase::answering;
  deadline_ = Clock::time_point::max();  // the service has one of its own
}

// Whether the answer is complete, and the client has taken it.
bool Conversation::advance_answer() {
  if (socket_.unsent() <= kMostUnsent && !exchange_->has_all) {
    const std::size_t before = socket_.unsent();
    queue_answer();
    if (socket_.unsent() > before) deadline_ = write_deadline();
  }
  if (!send()) return false;
  if (socket_.unsent() > 0) return false;
  deadline_ = Clock::time_point::max();
  if (!exchange_->has_all) return false;
  end_exchange();
  return true;
}

// Slow lines get the time that they need, unless they keep too much of our memory.
Conversation::Clock::time_point Conversation::write_deadline() const {
  const Clock::time_point end = Clock::now() + hub_.limits.write;
  if (hub_.unsent_bytes + socket_.unsent() > hub_.most_unsent) return end;
  return end + std::chrono::milliseconds(socket_.unsent() / kSlowestLine);
}

void Conversation::queue_answer() {
  Answer& answer = exchange_->answer;
  if (!answer.reply) return queue_whole(answer.head, std::move(answer.body));
  PipedReply& reply = *answer.reply;
  if (reply.is_streaming() && !exchange_->has_no_chunks) return queue_stream(reply);
  if (!reply.is_complete()) return;
  answer.head = reply.head();
  std::string body;
  reply.take(body);
  queue_whole(answer.head, std::move(body));
}

void Conversation::queue_whole(const ReplyHead& head, std::string body) {
  exchange_->keeps_alive = exchange_->keeps_alive && !hub_.is_stopping;
  socket_.queue(response_head(head, {.headers = exchange_->answer.headers,
                                     .length = body.size(),
                                     .keeps_alive = exchange_->keeps_alive,
                                     .says_keep_alive = exchange_->says_keep_alive,
                                     .idle = hub_.limits.idle}));
  if (!exchange_->is_head) socket_.queue(std::move(body));
  exchange_->has_all = true;
}

void Conversation::queue_stream(PipedReply& reply) {
  Answer& answer = exchange_->answer;
  if (!std::exchange(exchange_->has_head, true)) {
    exchange_->keeps_alive = exchange_->keeps_alive && !hub_.is_stopping;
    answer.head = reply.head();
    socket_.queue(response_head(
        answer.head,
        {.headers = answer.headers, .keeps_alive = exchange_->keeps_alive, .idle = hub_.limits.idle}));
  }
  std::string piece;
  const bool has_more = reply.take(piece);
  if (!piece.empty()) socket_.queue(response_chunk(piece));
  if (has_more) return;
  socket_.queue(std::string(kLastChunk));
  exchange_->has_all = true;
}

void Conversation::end_exchange() {
  const bool keeps_alive = exchange_->keeps_alive && exchange_->has_all && socket_.unsent() == 0;
  const Answer& answer = exchange_->answer;
  AccessRecord& record = exchange_->record;
  record.status = answer.head.status;
  record.bytes_out = socket_.sent() - exchange_->sent_before;
  record.seconds = std::chrono::duration<double>(Clock::now() - exchange_->begin).count();
  if (!answer.reply || answer.reply->is_complete()) {
    record.sentences = answer.outcome->sentences;
    record.words = answer.outcome->words;
    record.error = answer.outcome->error;
  } else {  // the worker still writes the outcome
    record.error = ClientGone().what();
  }
  hub_.service.metrics().count_request(answer.route, record.status, record.seconds);
  if (hub_.log != nullptr) hub_.log->add(record);
  exchange_.reset();
  if (keeps_alive) {
    begin_reading();
  } else {
    begin_lingering();
  }
}

// False if the connection is broken, and all is over.
bool Conversation::send() {
  const bool is_whole = socket_.send();
  count_unsent();
  if (!is_whole) end();
  return is_whole;
}

void Conversation::begin_lingering() {
  socket_.end_sending();
  phase_ = Phase::lingering;
  deadline_ = Clock::now() + kLinger;
}

void Conversation::end() {
  if (phase_ == Phase::over) return;
  if (exchange_) {
    if (exchange_->answer.reply) exchange_->answer.reply->give_up();
    end_exchange();
  }
  phase_ = Phase::over;
  hub_.unfinished_bytes -= std::exchange(unfinished_, 0);
  hub_.unsent_bytes -= std::exchange(unsent_, 0);
}

}  // namespace copse
