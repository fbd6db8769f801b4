#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serving/access_control.h"
#include "serving/metrics.h"
#include "serving/model_set.h"
#include "serving/piped_reply.h"
#include "serving/request_job.h"
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

// An answer as it goes out.
struct Answer {
  std::string route;  // for metrics: one of few names
  // Of the head, beyond those that stand in it.
  std::vector<std::pair<std::string, std::string>> headers;
  // Where the rest comes from as soon as it is there; null: it is here.
  std::shared_ptr<PipedReply> reply;
  ReplyHead head;
  std::string body;
  // Complete when the reply is.
  std::shared_ptr<RequestOutcome> outcome = std::make_shared<RequestOutcome>();
};

// All that a server does behind the protocol: finds out who answers a request, has it done on a worker, and
// turns errors into answers. Any thread may call any function.
class Service {
 public:
  // Borrows the models. Adds to the routes: /healthz, /metrics, the page at / and the files that it needs.
  Service(const ModelSet& models, std::vector<Route> routes, const ServiceOptions& options);

  // Answers a request without waiting: what has to be parsed is answered later, and `on_progress` is called,
  // by another thread, whenever there is something new.
  Answer answer(Request request, std::function<void()> on_progress);
  // The answer to what cannot be read as a request, for the path that it seems to have.
  Answer refusal(int status, const std::string& message, const std::string& path) const;

  Metrics& metrics() { return metrics_; }
  // From now on, requests that would have to be parsed are refused.
  void stop() { is_stopping_ = true; }
  // The server tells how many connections are open.
  void set_connections(std::size_t count) { connections_ = count; }

 private:
  Answer route(Request request, std::function<void()> on_progress);
  void parse(const Route& route, Request request, std::function<void()> on_progress, Answer& answer);
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
