#include "training/pretrain_request.h"

#include <algorithm>

#include "parallel/task_pool.h"
#include "parser_training/processor_steps.h"

namespace copse {
namespace {

// Visits what a request and a shape say about the same.
template <class Request, class Shape, class F>
void visit_sizes(Request& request, Shape& shape, const F& f) {
  f(request.layers, shape.layers);
  f(request.hidden, shape.hidden);
  f(request.word_size, shape.word_size);
  f(request.spelling_size, shape.spelling_size);
  f(request.affix_rows, shape.affix_rows);
}

}  // namespace

PretrainRequest effective_request(const PretrainRequest& request, Team& team) {
  PretrainRequest effective = request;
  const NetworkShape shape = shape_of(request.size);
  visit_sizes(effective, shape, [](std::optional<std::size_t>& value, std::size_t size) {
    if (!value) value = size;
  });
  effective.learning.precision = common_precision(team, request.learning.precision, request.learning.device);
  constexpr int kMostThreads = 1024;
  if (!request.threads) effective.threads = std::min(TaskPool::default_threads(), kMostThreads);
  return effective;
}

PretrainingOptions pretraining_options(const PretrainRequest& request) {
  PretrainingOptions options = request.learning;
  options.shape = shape_of(request.size);
  visit_sizes(request, options.shape,
              [](const std::optional<std::size_t>& value, std::size_t& size) { size = *value; });
  options.shape.spelling = request.spelling;
  options.learning.seed = options.batches.seed;
  return options;
}

}  // namespace copse
