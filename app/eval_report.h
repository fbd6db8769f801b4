#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/calibration.h"
#include "evaluation/evaluator.h"
#include "evaluation/significance.h"

namespace copse {

struct EvaluatedSystem {
  std::string file;
  Scores scores;
  Significance significance;
  // Of systems that write probabilities.
  std::optional<Calibration> calibration;
  std::vector<ThresholdPoint> precision_curve;
};

// All that `copse eval` found out, and the settings that it depends on.
struct EvaluationReport {
  std::string gold_file;
  std::string punctuation;
  std::string subtypes;
  SignificanceOptions significance;
  int bins = 0;
  std::vector<EvaluatedSystem> systems;  // at least one
};

std::string text_report(const EvaluationReport& report);
std::string json_report(const EvaluationReport& report);

}  // namespace copse
