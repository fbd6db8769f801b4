#pragma once

#include <string>
#include <vector>

#include "evaluation/aligned_scores.h"

namespace copse {

// All that `copse eval --aligned` found out.
struct AlignedReport {
  struct System {
    std::string file;
    AlignedScores scores;
  };
  std::string gold_file;
  std::vector<System> systems;
};

std::string text_report(const AlignedReport& report);
std::string json_report(const AlignedReport& report);

}  // namespace copse
