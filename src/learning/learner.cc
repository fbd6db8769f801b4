#include "learning/learner.h"

#include <algorithm>
#include <array>

#include "learning/adagrad.h"
#include "learning/lbfgs_learner.h"
#include "learning/online_learner.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 4> kLearnerNames = {"lbfgs", "adagrad", "perceptron", "mira"};

constexpr double kAdagradStep = 0.05;

}  // namespace

std::string_view name(LearnerKind learner) { return kLearnerNames[static_cast<std::size_t>(learner)]; }

std::optional<LearnerKind> parse_learner(std::string_view name) {
  const auto* found = std::find(kLearnerNames.begin(), kLearnerNames.end(), name);
  if (found == kLearnerNames.end()) return std::nullopt;
  return static_cast<LearnerKind>(found - kLearnerNames.begin());
}

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
