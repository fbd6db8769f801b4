#include "optimisation/learner.h"

#include "optimisation/adagrad.h"
#include "optimisation/lbfgs_learner.h"
#include "optimisation/online_learner.h"

namespace copse {

std::unique_ptr<Learner> make_learner(const Objective& objective, const LearnerOptions& options,
                                      std::span<const float> start, TaskPool& pool) {
  switch (options.kind) {
    case LearnerKind::lbfgs:
      return std::make_unique<LbfgsLearner>(objective, start, options.l2, options.l1, pool);
    case LearnerKind::adagrad:
      return std::make_unique<Adagrad>(objective, start, options.l2, options.step, options.seed, pool);
    case LearnerKind::perceptron:
      return std::make_unique<Perceptron>(objective, options.seed);
    case LearnerKind::mira:
      return std::make_unique<Mira>(objective, options.seed, options.kbest);
  }
  return nullptr;
}

}  // namespace copse
