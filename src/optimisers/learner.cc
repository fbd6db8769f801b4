#include "optimisers/learner.h"

#include <fmt/format.h>

#include "copse/error.h"
#include "optimisers/adagrad.h"
#include "optimisers/lbfgs_learner.h"
#include "optimisers/online_learner.h"

namespace copse {

void check_division(LearnerKind kind, const Team& team) {
  if (minimises_loss(kind) || team.is_alone()) return;
  throw DataError(fmt::format(
      "{} changes its weights after every example, and cannot be divided among {} processes; take lbfgs or "
      "adagrad, or one process",
      name(kind), team.size()));
}

std::unique_ptr<Learner> make_learner(const Objective& objective, const LearnerOptions& options,
                                      std::span<const float> start, TaskPool& pool) {
  check_division(options.kind, pool.team());
  switch (options.kind) {
    case LearnerKind::lbfgs:
      return std::make_unique<LbfgsLearner>(objective, start, options.l2, options.l1, options.history, pool);
    case LearnerKind::adagrad:
      return std::make_unique<Adagrad>(objective, start, options.l2, options.step, options.seed, pool);
    case LearnerKind::perceptron:
      return std::make_unique<Perceptron>(objective, options.seed);
    case LearnerKind::mira:
      return std::make_unique<Mira>(objective, options.seed, options.kbest);
  }
  return nullptr;
}

std::size_t learner_bytes(LearnerKind kind, std::size_t weights, const TaskPool& pool, int history) {
  const std::size_t sums = static_cast<std::size_t>(pool.threads()) * sizeof(std::int64_t);
  const auto iterates = static_cast<std::size_t>(history) + 2;
  const auto processes = static_cast<std::size_t>(pool.team().size());
  switch (kind) {
    case LearnerKind::lbfgs:  // iterates with their gradients, a trial point, a direction; the start, all of
                              // x
      return weights * (sums + 2 * sizeof(float)) + weights / processes * (2 * iterates + 1) * sizeof(float);
    case LearnerKind::adagrad:  // weights, squares, penalties
      return weights * (sums + 3 * sizeof(float));
    case LearnerKind::perceptron:
    case LearnerKind::mira:  // weights, weighted changes, average
      return weights * (2 * sizeof(float) + sizeof(double));
  }
  return 0;
}

}  // namespace copse
