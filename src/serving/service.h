#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "serving/access_control.h"
#include "serving/metrics.h"
#include "serving/model_set.h"
#include "serving/piped_reply.h"
#include "serving/route.h"
#include "serving/worker_pool.h"

namespace copse {

struct ServiceOptions {
  int threads = 1;
  std::size_t queue = 64;            // requests that may wait for a worker
  std::int64_t max_words = 100'000;  // of a request
  std::chrono::milliseconds timeout{30'000};
  AccessControl access = {};
};

// What is known of a request only when it has been answered.
struct RequestOutcome {
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  std::string error;  // empty if all went well
};

// An answer as it goes out.
struct Answer {
  std::string route;  // for metrics: one of few names
  ReplyHead head;
  std::string body;
  // Where the body comes from if it comes in pieces; else null. Whoever takes them waits for the end, too.
  std::shared_ptr<PipedReply> stream;
  // Complete when the stream has ended.
  std::shared_ptr<RequestOutcome> outcome = std::make_shared<RequestOutcome>();
};

// All that a server does behind the protocol: finds out who answers a request, has it done on a worker, and
// turns errors into answers. Any thread may call any function.
class Service {
 public:
  // Borrows the models. Adds to the routes: /healthz, /metrics, the page at / and the files that it needs.
  Service(const ModelSet& models, std::vector<Route> routes, const ServiceOptions& options);

  // Answers a request; returns when the head of the answer is known.
  Answer answer(Request request);
  // The answer to what is no request.
  Answer refusal(int status, const std::string& message) const;

  Metrics& metrics() { return metrics_; }
  // From now on, requests that would have to be parsed are refused.
  void stop() { is_stopping_ = true; }
  // The server tells how many connections are open.
  void set_connections(std::size_t count) { connections_ = count; }

 private:
  Answer route(Request request);
  void parse(const Route& route, Request request, Answer& answer);
  void answer_quick(const Route& route, const Request& request, Answer& answer) const;
  void answer_asset(const Request& request, Answer& answer) const;
  void answer_options(const Request& request, Answer& answer) const;
  const Route* find_route(const std::string& path) const;
  ServerLoad load() const;

  const ModelSet* models_;
  std::vector<Route> routes_;
  ServiceOptions options_;
  Metrics metrics_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<std::size_t> connections_ = 0;
  WorkerPool workers_;  // the first to go: jobs use all of the above
};

}  // namespace copse
