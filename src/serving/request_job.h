#pragma once

#include <memory>

#include "serving/deadline.h"
#include "serving/metrics.h"
#include "serving/piped_reply.h"
#include "serving/route.h"
#include "serving/worker_pool.h"

namespace copse {

// What is known of a request only when it has been answered.
struct RequestOutcome {
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  std::string error;  // empty if all went well
};

// Has a request answered by the handler of its route, and turns what that throws into a reply. The deadline
// is kept, also within a long sentence.
class RequestJob : public WorkerPool::Job {
 public:
  // Borrows the route, the models and the metrics.
  RequestJob(const Route& route, Request request, std::shared_ptr<PipedReply> reply,
             std::shared_ptr<RequestOutcome> outcome, const Deadline& deadline, const ModelSet& models,
             std::int64_t max_words, Metrics& metrics);

  bool step(Workspace& workspace) override;
  bool is_ready() const override { return !reply_->is_full(); }
  bool is_large() const override { return is_large_; }

 private:
  bool advance(Workspace& workspace);
  void fail();
  void finish();

  const Route& route_;
  Request request_;  // until the task has been made of it
  const bool is_large_;
  std::shared_ptr<PipedReply> reply_;
  std::shared_ptr<RequestOutcome> outcome_;
  Deadline deadline_;
  RequestContext context_;
  Metrics& metrics_;
  std::unique_ptr<ParseTask> task_;
};

}  // namespace copse
