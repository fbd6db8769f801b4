#include "evaluation/evaluate_files.h"

#include "evaluation/side_by_side.h"

namespace copse {

std::vector<Evaluator> evaluate_files(const std::string& gold_path, std::span<const std::string> system_paths,
                                      const EvaluationOptions& options) {
  std::vector<Evaluator> evaluators(system_paths.size(), Evaluator(options));
  read_side_by_side(
      gold_path, system_paths,
      [&](const Sentence& gold, std::span<const Sentence* const> systems) {
        for (size_t k = 0; k < systems.size(); ++k) evaluators[k].add(gold, *systems[k]);
      },
      options.max_words);
  return evaluators;
}

}  // namespace copse
