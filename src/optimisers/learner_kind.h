#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace copse {

enum class LearnerKind : std::uint8_t {
  lbfgs,       // maximum likelihood with L2 (and L1), by L-BFGS (OWL-QN)
  adagrad,     // the same objective without L1, by stochastic steps
  perceptron,  // averaged structured perceptron
  mira,        // averaged 10-best MIRA; trees only
};
std::string_view name(LearnerKind learner);
std::optional<LearnerKind> parse_learner(std::string_view name);

}  // namespace copse
