#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/evaluation/evaluator.h"

namespace copse {

// Reads the gold file and the files of all systems side by side, one sentence of each at a time; "-" is the
// standard input, for one of them. One evaluator per system comes back. Throws DataError, with the file and
// the line, unless all have the same sentences with the same forms. Gold trees with cycles are refused; what
// a system wrote is compared word by word, cycles or not.
std::vector<Evaluator> evaluate_files(const std::string& gold_path, std::span<const std::string> system_paths,
                                      const EvaluationOptions& options = {});

}  // namespace copse
