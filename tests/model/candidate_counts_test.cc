#include "model/candidate_counts.h"

#include <gtest/gtest.h>

#include "parallel/thread_team.h"

namespace copse {
namespace {

// Key 7 has label k exactly k + 1 times, for five labels; key 9 comes once.
CandidateLabels candidates(std::size_t longest_list, Team& team = Team::alone()) {
  CandidateCounts counts({5, 3, 3, 0.0, longest_list}, team);
  const auto for_each = [&team](auto visit) {
    std::size_t example = 0;
    const auto add = [&](std::uint64_t key, Label label) {
      if (is_own(team, example++)) visit(std::vector<std::uint64_t>{key}, label);
    };
    for (Label label = 0; label < 5; ++label) {
      for (int k = 0; k <= label; ++k) add(7, label);
    }
    for (Label label = 0; label < 2; ++label) add(9, label);
  };
  for_each([&](const auto& keys, Label label) { counts.count(keys, label); });
  counts.end_first_pass();
  for_each([&](const auto& keys, Label label) { counts.count_again(keys, label); });
  return counts.take();
}

std::vector<Label> found(const CandidateLabels& candidates, std::uint64_t key) {
  const std::vector<std::uint64_t> keys = {key};
  const std::span<const Label> labels = candidates.find(keys);
  return {labels.begin(), labels.end()};
}

TEST(CandidateCounts, ListsHaveWhatWasSeen) {
  const CandidateLabels all = candidates(SIZE_MAX);
  EXPECT_EQ(found(all, 7), (std::vector<Label>{0, 1, 2, 3, 4}));
  EXPECT_EQ(found(all, 9), (std::vector<Label>{0, 1}));
  EXPECT_EQ(found(all, 1), (std::vector<Label>{0, 1}));
}

TEST(CandidateCounts, LongListsKeepTheMostFrequentLabels) {
  EXPECT_EQ(found(candidates(5), 7), (std::vector<Label>{0, 1, 2, 3, 4}));
  EXPECT_EQ(found(candidates(2), 7), (std::vector<Label>{3, 4}));
  // Of equally frequent ones, the first.
  EXPECT_EQ(found(candidates(1), 9), std::vector<Label>{0});
}

TEST(CandidateCounts, ProcessesOfATeamGetTheListsOfAllExamples) {
  for (const int size : {2, 3, 7, 20}) {
    run_team(size, [](Team& team) {
      EXPECT_EQ(found(candidates(SIZE_MAX, team), 7), (std::vector<Label>{0, 1, 2, 3, 4}));
      EXPECT_EQ(found(candidates(2, team), 7), (std::vector<Label>{3, 4}));
      EXPECT_EQ(found(candidates(SIZE_MAX, team), 1), (std::vector<Label>{0, 1}));
    });
  }
}

}  // namespace
}  // namespace copse
