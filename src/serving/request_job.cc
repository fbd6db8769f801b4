#include "serving/request_job.h"

#include <exception>
#include <stdexcept>
#include <utility>

#include "parallel/interruption.h"
#include "serving/problem.h"

namespace copse {
namespace {

// Bytes of a request whose sentences and answer may take megabytes between its steps.
constexpr std::size_t kLarge = std::size_t{16} << 10;

}  // namespace

RequestJob::RequestJob(const Route& route, Request request, std::shared_ptr<PipedReply> reply,
                       std::shared_ptr<RequestOutcome> outcome, const Deadline& deadline,
                       const ModelSet& models, std::int64_t max_words, Metrics& metrics)
    : route_(route),
      request_(std::move(request)),
      is_large_(request_.body.size() + request_.query.size() > kLarge),
      reply_(std::move(reply)),
      outcome_(std::move(outcome)),
      deadline_(deadline),
      context_{.models = models, .deadline = deadline_, .max_words = max_words},
      metrics_(metrics) {}

bool RequestJob::step(Workspace& workspace) {
  try {
    if (advance(workspace)) return true;
    if (!reply_->has_begun()) throw std::logic_error("no answer");
  } catch (const ClientGone&) {
    outcome_->error = "the client has gone";
  } catch (...) {
    fail();
  }
  finish();
  return false;
}

bool RequestJob::advance(Workspace& workspace) {
  const auto check = [this] {
    reply_->expect_client();
    deadline_.check();
  };
  check();  // it may have waited for long
  // A single long sentence may take longer than anybody wants to wait.
  const InterruptionScope scope(check);
  if (task_) return task_->step(workspace);
  task_ = route_.parse(request_, context_, *reply_);
  request_ = {};
  return task_ != nullptr;
}

void RequestJob::fail() {
  const Problem problem = describe(std::current_exception());
  outcome_->error = problem.message;
  if (reply_->has_begun()) return;
  try {
    reply_->send(error_head(problem, route_.errors), error_body(problem, route_.errors));
  } catch (const ClientGone&) {
    // Then nobody hears of it.
  }
}

void RequestJob::finish() {
  task_.reset();
  outcome_->sentences = context_.sentences;
  outcome_->words = context_.words;
  metrics_.count_parsed(context_.sentences, context_.words);
  reply_->finish();
}

}  // namespace copse
