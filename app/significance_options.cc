#include "significance_options.h"

namespace copse {

std::vector<CLI::Option*> add_significance_options(CLI::App& command, SignificanceOptions& options) {
  constexpr int kMostRounds = 10'000'000;
  return {command.add_option("--bootstrap", options.bootstrap, "Rounds for the intervals, 0 for none")
              ->check(CLI::Range(0, kMostRounds))
              ->option_text("N [1000]"),
          command.add_option("--trials", options.trials, "Trials of the tests between systems, 0 for none")
              ->check(CLI::Range(0, kMostRounds))
              ->option_text("N [10000]"),
          command.add_option("--seed", options.seed, "Of the random numbers for both")->option_text("N [1]")};
}

}  // namespace copse
