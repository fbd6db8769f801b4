#pragma once

#include <span>
#include <vector>

#include "optimisers/objective.h"

namespace copse {

// A copy of `start`; zeros if it is empty.
inline std::vector<float> start_weights(const Objective& objective, std::span<const float> start) {
  return start.empty() ? std::vector<float>(objective.weights())
                       : std::vector<float>(start.begin(), start.end());
}

// One for each thread of a pool.
inline std::vector<std::unique_ptr<ExampleWorkspace>> make_workspaces(const Objective& objective,
                                                                      int threads) {
  std::vector<std::unique_ptr<ExampleWorkspace>> workspaces;
  for (int k = 0; k < threads; ++k) workspaces.push_back(objective.make_workspace());
  return workspaces;
}

}  // namespace copse
