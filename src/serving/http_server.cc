#include "serving/http_server.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "serving/conversation.h"
#include "serving/event_poll.h"
#include "serving/socket.h"

namespace copse {
namespace {

using Clock = Conversation::Clock;

constexpr std::size_t kBuffer = std::size_t{64} << 10;
constexpr std::size_t kMostUnfinished = std::size_t{256} << 20;   // bytes of requests that are being sent
constexpr std::size_t kMostUnsentInAll = std::size_t{256} << 20;  // bytes of answers that wait for slow lines
constexpr std::size_t kExtraConnections = 32;           // for telling clients that there are too many
constexpr int kMostAccepted = 256;                      // at a time, before it is the turn of others
constexpr int kMostLookedAt = 64;                       // connections, for one that is idle
constexpr std::chrono::milliseconds kAcceptPause{100};  // when the system has no more descriptors

// Numbers of events that are no conversation's.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kMailbox = 1;

}  // namespace

bool is_host(const std::string& host) { return has_address(host); }

class HttpServer::Impl {
 public:
  Impl(Service& service, AccessLog* log, const HttpOptions& options)
      : options_(options),
        buffer_(kBuffer),
        hub_{.service = service,
             .log = log,
             .limits = {options.max_body, options.idle, options.timeout, options.timeout},
             .buffer = buffer_,
             .most_unfinished = std::max(kMostUnfinished, options.max_body),
             .most_unsent = kMostUnsentInAll} {
    const std::size_t allowed = allowed_connections();
    max_connections_ = std::min(options.max_connections, allowed - std::min(allowed, kExtraConnections));
  }

  int bind() {
    listener_ = listen_on(options_.host, options_.port);
    poll_.add(listener_.get(), kListener, {.reads = true});
    poll_.add(mailbox_->descriptor(), kMailbox, {.reads = true});
    return port_of(listener_);
  }

  std::size_t max_connections() const { return max_connections_; }

  void run() {
    while (!hub_.is_stopping || has_answers()) {
      for (const EventPoll::Event& event : poll_.wait(next_deadline())) handle(event);
      for (const std::uint64_t number : mailbox_->take()) {
        call(number, [](Conversation& conversation) { conversation.proceed(); });
      }
      expire();
      if (wants_to_stop_ && !hub_.is_stopping) stop_conversations();
    }
    listener_ = {};
    conversations_.clear();
    deadlines_.clear();
    hub_.service.set_connections(0);
  }

  void stop() {
    wants_to_stop_ = true;
    mailbox_->post(kMailbox);
  }

 private:
  struct Entry {
    std::unique_ptr<Conversation> conversation;
    EventPoll::Interest interest;
    Clock::time_point deadline;
  };

  void handle(const EventPoll::Event& event) {
    if (event.number == kListener) return accept();
    if (event.number == kMailbox) return;
    call(event.number, [&](Conversation& conversation) {
      if (event.is_broken) return conversation.break_off();
      if (event.can_write) conversation.proceed();
      if (event.can_read) conversation.read();
    });
  }

  // Tells a conversation something, unless it is over, and then asks what it waits for.
  template <class Tell>
  void call(std::uint64_t number, Tell tell) {
    const auto found = conversations_.find(number);
    if (found == conversations_.end()) return;
    Entry& entry = found->second;
    try {
      tell(*entry.conversation);
      if (!entry.conversation->is_over()) return update(number, entry);
    } catch (const std::exception&) {
      // Not even memory for a refusal: the connection is closed, and others go on.
    }
    deadlines_.erase({entry.deadline, number});
    conversations_.erase(found);
    hub_.service.set_connections(conversations_.size());
  }

  void update(std::uint64_t number, Entry& entry) {
    const Conversation& conversation = *entry.conversation;
    const EventPoll::Interest interest{conversation.wants_to_read(), conversation.wants_to_write()};
    if (interest != entry.interest) poll_.change(conversation.descriptor(), number, interest);
    entry.interest = interest;
    if (conversation.deadline() == entry.deadline) return;
    deadlines_.erase({entry.deadline, number});
    entry.deadline = conversation.deadline();
    deadlines_.insert({entry.deadline, number});
  }

  void accept() {
    for (int count = 0; count < kMostAccepted; ++count) {
      Accepted accepted = accept_connection(listener_);
      switch (accepted.error) {
        case 0:
          try_to_open(std::move(accepted));
          break;
        case EAGAIN:
          return;
        case EBADF:
        case EINVAL:
        case ENOTSOCK:
          throw DataError("the socket that requests come from has failed; start the server again");
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
          return pause_accepting();
        default:
          break;  // the client has gone already, or the like
      }
    }
  }

  void try_to_open(Accepted accepted) {
    const std::uint64_t number = ++last_number_;
    try {
      open(std::move(accepted), number);
    } catch (const std::exception&) {
      // No memory for it: it is closed.
      conversations_.erase(number);
    }
    hub_.service.set_connections(conversations_.size());
  }

  void open(Accepted accepted, std::uint64_t number) {
    if (conversations_.size() >= max_connections_) close_idle();
    const std::size_t others = conversations_.size();
    if (others >= max_connections_ + kExtraConnections) return;  // closes it
    const auto on_progress = [mailbox = mailbox_, number] { mailbox->post(number); };
    Entry& entry = conversations_[number];
    entry.conversation = std::make_unique<Conversation>(std::move(accepted.descriptor),
                                                        std::move(accepted.client), hub_, on_progress);
    entry.interest = {.reads = true};
    poll_.add(entry.conversation->descriptor(), number, entry.interest);
    entry.deadline = entry.conversation->deadline();
    deadlines_.insert({entry.deadline, number});
    if (others < max_connections_) return;
    call(number, [](Conversation& refused) {
      refused.refuse(503, "too many connections are open; ask again in a second");
    });
  }

  // Makes room: one that says nothing has to go before one that comes is refused.
  void close_idle() {
    auto next = deadlines_.begin();
    for (int count = 0; count < kMostLookedAt && next != deadlines_.end(); ++count, ++next) {
      const std::uint64_t number = next->second;
      if (!conversations_.at(number).conversation->is_idle()) continue;
      return call(number, [](Conversation& conversation) { conversation.expire(); });
    }
  }

  // Waiting clients would be reported again at once, and again.
  void pause_accepting() {
    poll_.change(listener_.get(), kListener, {});
    accepts_again_ = Clock::now() + kAcceptPause;
  }

  Clock::time_point next_deadline() const {
    return deadlines_.empty() ? accepts_again_ : std::min(accepts_again_, deadlines_.begin()->first);
  }

  void expire() {
    const Clock::time_point now = Clock::now();
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      call(deadlines_.begin()->second, [](Conversation& conversation) { conversation.expire(); });
    }
    if (accepts_again_ > now) return;
    accepts_again_ = Clock::time_point::max();
    poll_.change(listener_.get(), kListener, {.reads = true});
  }

  // From now on: idle connections are closed, requests that have not come in full are refused.
  void stop_conversations() {
    hub_.is_stopping = true;
    hub_.service.stop();
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, entry] : conversations_) numbers.push_back(number);
    for (const std::uint64_t number : numbers) {
      call(number, [](Conversation& conversation) { conversation.stop(); });
    }
  }

  bool has_answers() const {
    return std::any_of(conversations_.begin(), conversations_.end(),
                       [](const auto& entry) { return entry.second.conversation->is_answering(); });
  }

  HttpOptions options_;
  std::size_t max_connections_ = 0;
  std::vector<char> buffer_;
  ConversationHub hub_;
  EventPoll poll_;
  // Workers may hold on to it for longer than the server exists.
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  OwnedDescriptor listener_;
  std::uint64_t last_number_ = kMailbox;
  std::unordered_map<std::uint64_t, Entry> conversations_;
  std::set<std::pair<Clock::time_point, std::uint64_t>> deadlines_;
  Clock::time_point accepts_again_ = Clock::time_point::max();
  std::atomic<bool> wants_to_stop_ = false;
};

HttpServer::HttpServer(Service& service, AccessLog* log, const HttpOptions& options)
    : impl_(std::make_unique<Impl>(service, log, options)) {}
HttpServer::~HttpServer() = default;
int HttpServer::bind() { return impl_->bind(); }
std::size_t HttpServer::max_connections() const { return impl_->max_connections(); }
void HttpServer::run() { impl_->run(); }
void HttpServer::stop() { impl_->stop(); }

}  // namespace copse
