#include "evaluation/significance.h"

namespace copse {

Significance significance(const Evaluator& system, const Evaluator& first,
                          const SignificanceOptions& options) {
  Significance found;
  if (options.bootstrap > 0) {
    found.intervals = bootstrap_intervals(system.sentences(), {options.bootstrap, options.seed});
  }
  if (&system == &first || options.trials <= 0) return found;
  const auto test = [&](Measure measure) {
    return randomisation_test(first.sentences(), system.sentences(), measure, {options.trials, options.seed});
  };
  found.uas_test = test(Measure::uas);
  if (system.scores().labelled && first.scores().labelled) found.las_test = test(Measure::las);
  return found;
}

}  // namespace copse
