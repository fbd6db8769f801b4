#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluation/evaluator.h"

namespace copse {

// One evaluator per system, over files that are read and checked as by read_side_by_side. What a system wrote
// is compared word by word, cycles or not.
std::vector<Evaluator> evaluate_files(const std::string& gold_path, std::span<const std::string> system_paths,
                                      const EvaluationOptions& options = {});

}  // namespace copse
