#include "optimisers/learner_kind.h"

#include <algorithm>
#include <array>

namespace copse {
namespace {

constexpr std::array<std::string_view, 4> kLearnerNames = {"lbfgs", "adagrad", "perceptron", "mira"};

}  // namespace

std::string_view name(LearnerKind learner) { return kLearnerNames[static_cast<std::size_t>(learner)]; }

std::optional<LearnerKind> parse_learner(std::string_view name) {
  const auto* found = std::find(kLearnerNames.begin(), kLearnerNames.end(), name);
  if (found == kLearnerNames.end()) return std::nullopt;
  return static_cast<LearnerKind>(found - kLearnerNames.begin());
}

}  // namespace copse
