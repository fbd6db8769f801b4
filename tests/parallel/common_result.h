#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/thread_team.h"

namespace copse::testing {

// What work(team) returns in every process of a team: the same, or the test fails.
template <class Work>
auto common_result(int size, Work work) {
  using Result = std::invoke_result_t<Work, Team&>;
  std::mutex mutex;
  std::vector<Result> results;
  run_team(size, [&](Team& team) {
    Result result = work(team);
    const std::scoped_lock lock(mutex);
    results.push_back(std::move(result));
  });
  for (const Result& result : results) EXPECT_TRUE(result == results.front());
  return std::move(results.front());
}

}  // namespace copse::testing
