#include "learning/learner.h"

#include "learning/adagrad.h"
#include "learning/lbfgs_learner.h"
#include "learning/online_learner.h"

namespace copse {
namespace {

constexpr double kAdagradStep = 0.05;

}  // namespace

std::unique_ptr<Learner> make_learner(const TrainingProblem& problem, const TrainingOptions& options,
                                      TaskPool& pool) {
  switch (options.learner) {
    case LearnerKind::lbfgs:
      return std::make_unique<LbfgsLearner>(problem, options.l2, options.l1, pool, options.margin);
    case LearnerKind::adagrad:
      return std::make_unique<Adagrad>(problem, options.l2, kAdagradStep, options.seed, pool, options.margin);
    case LearnerKind::perceptron:
      return std::make_unique<Perceptron>(problem, options.seed);
    case LearnerKind::mira:
      return std::make_unique<Mira>(problem, options.seed, options.kbest);
  }
  return nullptr;
}

}  // namespace copse
