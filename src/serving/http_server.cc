// The only file that knows cpp-httplib. The library listens, accepts, deals out connections to threads and
// writes answers, in pieces where they come so. Requests are read by Connection instead: the library (0.11)
// keeps lines of any length, reads forever from who sends a byte every few seconds, limits forms to 8 KiB,
// takes broken chunks for the end of a body, and has a parser for multipart bodies that knows what browsers
// send.
#include "serving/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "copse/error.h"
#include "serving/connection.h"
#include "serving/request_error.h"

namespace copse {
namespace {

constexpr int kBacklog = 1024;            // connections that the system accepts before we do
constexpr std::size_t kExtraThreads = 8;  // for telling clients that there are too many

// Threads that are started when they are needed, and kept.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  // What comes while all threads are busy is done here: it is refused, which is quick.
  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      if (tasks_.size() < idle_ || start_thread()) {
        tasks_.push_back(std::move(task));
        has_task_.notify_one();
        return;
      }
    }
    task();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    has_task_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  bool start_thread() {
    if (threads_.size() == most_) return false;
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      return false;  // the system has no more threads
    }
    ++idle_;
    return true;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      has_task_.wait(lock, [this] { return !tasks_.empty() || is_ending_; });
      if (tasks_.empty()) return;
      --idle_;
      {
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
      }
      lock.lock();
      ++idle_;
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable has_task_;
  std::deque<std::function<void()>> tasks_;
  std::size_t idle_ = 0;  // threads that will take a task when there is one
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

// What the library reads is a request of ours, which says no more than what it has to know for an answer;
// what it writes goes to the connection, small pieces of an answer together.
class AnswerStream : public httplib::Stream {
 public:
  AnswerStream(Connection& connection, std::string request)
      : connection_(connection), request_(std::move(request)) {}

  bool is_readable() const override { return !request_.empty(); }
  bool is_writable() const override { return !has_failed_; }
  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = request_.copy(bytes, size);
    request_.erase(0, count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    buffer_.append(bytes, size);
    if (buffer_.size() >= kEnough && !flush()) return -1;
    return has_failed_ ? -1 : static_cast<ssize_t>(size);
  }
  bool flush() {
    if (!has_failed_) has_failed_ = !connection_.write(buffer_);
    buffer_.clear();
    return !has_failed_;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return 0; }

 private:
  static constexpr std::size_t kEnough = std::size_t{64} << 10;
  Connection& connection_;
  std::string request_;
  std::string buffer_;
  bool has_failed_ = false;
};

std::string address_of(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  std::array<char, NI_MAXHOST> name{};
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      ::getnameinfo(reinterpret_cast<sockaddr*>(&address), length, name.data(), name.size(), nullptr, 0,
                    NI_NUMERICHOST) != 0) {
    return "";
  }
  return name.data();
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

class HttpServer::Impl : public httplib::Server {
 public:
  Impl(Service& service, AccessLog* log, const HttpOptions& options)
      : service_(service), log_(log), options_(options) {
    // Not the library's own, which let two servers share a port without a word.
    set_socket_options([](int socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    set_tcp_nodelay(true);
    set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(options.idle).count());
    set_keep_alive_max_count(1'000'000);
    new_task_queue = [this] { return new ConnectionThreads(options_.max_connections + kExtraThreads); };
    set_pre_routing_handler([](const httplib::Request&, httplib::Response& response) {
      fill(response);
      return HandlerResponse::Handled;
    });
  }

  int take_port() {
    errno = 0;
    const int port = options_.port == 0 ? bind_to_any_port(options_.host)
                                        : (bind_to_port(options_.host, options_.port) ? options_.port : -1);
    if (port < 0) {
      throw DataError(fmt::format("cannot listen on {}:{}{}; choose another --host or --port", options_.host,
                                  options_.port,
                                  errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))));
    }
    ::listen(svr_sock_, kBacklog);  // the library has said 5
    return port;
  }

  void answer_all() {
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) return;
      has_started_ = true;
    }
    listen_after_bind();
    has_ended_ = true;
    if (!is_stopping_)
      throw DataError("the socket that requests come from has failed; start the server again");
  }

  void finish() {
    std::unique_lock lock(mutex_);
    if (is_stopping_) return;
    is_stopping_ = true;
    service_.stop();
    if (!has_started_) return;
    // The library cuts answers off when it is stopped.
    is_done_.wait(lock, [this] { return active_ == 0; });
    lock.unlock();
    while (!is_running() && !has_ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Server::stop();
  }

 private:
  // What the thread is to answer: the library has no way to hand it through.
  static inline thread_local Answer* answer_ = nullptr;
  static inline thread_local AnswerStream* stream_ = nullptr;

  static void fill(httplib::Response& response) {
    Answer& answer = *answer_;
    response.status = answer.head.status;
    for (const auto& [name, value] : answer.head.headers) response.set_header(name, value);
    if (!answer.stream) {
      if (answer.head.content_type.empty()) return;
      response.set_content(answer.body, answer.head.content_type);
      return;
    }
    const auto provide = [stream = answer.stream](std::size_t, httplib::DataSink& sink) {
      std::string piece;
      if (stream->wait_for_piece(piece)) return sink.write(piece.data(), piece.size()) && stream_->flush();
      sink.done();
      return true;
    };
    response.set_chunked_content_provider(answer.head.content_type, provide);
  }

  bool process_and_close_socket(int socket) override {
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      count = ++connections_;
    }
    service_.set_connections(count);
    Connection connection(socket, {options_.max_body, options_.idle, options_.timeout, options_.timeout},
                          [this] { return is_stopping_.load(); });
    try {
      if (count > options_.max_connections) {
        refuse(connection, socket, 503, "too many connections are open; ask again in a second");
        if (count <= options_.max_connections + kExtraThreads) connection.linger();
      } else {
        converse(connection, socket);
      }
    } catch (const std::exception&) {
      // Not even memory for a refusal: the connection is closed, and others go on.
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    const std::lock_guard lock(mutex_);
    service_.set_connections(--connections_);
    return true;
  }

  // Requests and answers in turn.
  void converse(Connection& connection, int socket) {
    while (true) {
      std::optional<RequestHead> head;
      try {
        head = connection.read_request();
      } catch (const RequestError& error) {
        refuse(connection, socket, error.status(), error.what());
        if (!is_stopping_) connection.linger();
        return;
      }
      if (!head) return;
      const ActiveRequest active(*this);
      if (!answer(*head, connection, socket)) return;
    }
  }

  void refuse(Connection& connection, int socket, int status, const std::string& message) {
    const ActiveRequest active(*this);
    const auto begin = std::chrono::steady_clock::now();
    Answer answer = service_.refusal(status, message);
    const std::int64_t before = connection.written();
    write(answer, connection, {.method = "GET", .keeps_alive = false});
    record({.client = address_of(socket), .bytes_out = connection.written() - before}, answer, begin);
  }

  bool answer(RequestHead& head, Connection& connection, int socket) {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t before = connection.written();
    AccessRecord line{.client = address_of(socket),
                      .method = head.request.method,
                      .path = head.request.path,
                      .bytes_in = static_cast<std::int64_t>(head.request.body.size())};
    const bool is_head = head.request.method == "HEAD";
    Answer answer = service_.answer(std::move(head.request));
    if (answer.stream && (head.is_http_1_0 || is_head)) {  // which have no chunks
      answer.body = answer.stream->wait_for_all();
      answer.stream.reset();
    }
    const bool keeps_alive = head.keeps_alive && !is_stopping_;
    const bool was_written = write(answer, connection,
                                   {.method = is_head ? "HEAD" : "GET",
                                    .keeps_alive = keeps_alive,
                                    .says_keep_alive = head.is_http_1_0});
    line.bytes_out = connection.written() - before;
    record(std::move(line), answer, begin);
    return keeps_alive && was_written;
  }

  struct Manner {
    const char* method;
    bool keeps_alive;
    bool says_keep_alive = false;  // HTTP/1.0 has to be told
  };

  // Whether all of the answer has been written.
  bool write(Answer& answer, Connection& connection, const Manner& manner) {
    if (manner.keeps_alive && manner.says_keep_alive)
      answer.head.headers.emplace_back("Connection", "keep-alive");
    AnswerStream stream(connection, fmt::format("{} / HTTP/1.1\r\n\r\n", manner.method));
    answer_ = &answer;
    stream_ = &stream;
    bool is_closed = false;
    const bool has_answered = process_request(stream, !manner.keeps_alive, is_closed, nullptr);
    const bool was_written = stream.flush() && has_answered;
    if (answer.stream) {
      if (!was_written) answer.stream->give_up();
      answer.stream->wait_for_end();
    }
    return was_written;
  }

  void record(AccessRecord line, const Answer& answer, std::chrono::steady_clock::time_point begin) {
    line.status = answer.head.status;
    line.seconds = seconds_since(begin);
    line.sentences = answer.outcome->sentences;
    line.words = answer.outcome->words;
    line.error = answer.outcome->error;
    service_.metrics().count_request(answer.route, line.status, line.seconds);
    if (log_ != nullptr) log_->add(line);
  }

  // While one exists, the server does not stop.
  class ActiveRequest {
   public:
    explicit ActiveRequest(Impl& server) : server_(server) {
      const std::lock_guard lock(server_.mutex_);
      ++server_.active_;
    }
    ~ActiveRequest() {
      const std::lock_guard lock(server_.mutex_);
      if (--server_.active_ == 0) server_.is_done_.notify_all();
    }
    ActiveRequest(const ActiveRequest&) = delete;
    ActiveRequest& operator=(const ActiveRequest&) = delete;

   private:
    Impl& server_;
  };

  Service& service_;
  AccessLog* log_;
  HttpOptions options_;
  std::mutex mutex_;
  std::condition_variable is_done_;
  std::size_t connections_ = 0;
  std::size_t active_ = 0;  // requests that have been read and are not yet answered
  bool has_started_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> has_ended_ = false;
};

HttpServer::HttpServer(Service& service, AccessLog* log, const HttpOptions& options)
    : impl_(std::make_unique<Impl>(service, log, options)) {}
HttpServer::~HttpServer() = default;
int HttpServer::bind() { return impl_->take_port(); }
void HttpServer::run() { impl_->answer_all(); }
void HttpServer::stop() { impl_->finish(); }

}  // namespace copse
