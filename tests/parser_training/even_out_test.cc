#include "parser_training/even_out.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <numeric>

#include "features/sentence_parts.h"
#include "parallel/thread_team.h"
#include "parser_training/fingerprint.h"
#include "parser_training/tiny_treebank.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

std::vector<TrainingSentence> dealt(const Team& team, const std::vector<TrainingSentence>& all) {
  std::vector<TrainingSentence> own;
  for (const TrainingSentence& example : all) {
    if (is_own(team, example.number)) own.push_back(example);
  }
  return own;
}

std::int64_t parts_of(const std::vector<TrainingSentence>& sentences) {
  SentenceParts parts;
  std::int64_t sum = 0;
  for (const TrainingSentence& example : sentences) {
    parts.assign(example.sentence.size(), example.candidates, Factorization::grandsibling);
    sum += static_cast<std::int64_t>(parts.parts().count());
  }
  return sum;
}

TEST(EvenOut, GivesEverybodyTheSameWork) {
  Generator random = case_generator(0);
  std::vector<TrainingSentence> all = tiny_treebank(random, {RootMode::multi, true, 0.3, 200, 12});
  // The first of two processes gets the long ones.
  std::stable_sort(all.begin(), all.end(), [](const TrainingSentence& a, const TrainingSentence& b) {
    return a.sentence.size() > b.sentence.size();
  });
  for (std::size_t k = 0; k < all.size(); ++k) all[k].number = 2 * k % all.size() + 2 * k / all.size();
  std::sort(all.begin(), all.end(),
            [](const TrainingSentence& a, const TrainingSentence& b) { return a.number < b.number; });
  for (const int size : {1, 2, 3, 7}) {
    std::mutex mutex;
    std::map<std::uint64_t, TrainingSentence> found;
    std::vector<std::int64_t> loads;
    std::int64_t largest = 0;
    run_team(size, [&](Team& team) {
      std::vector<TrainingSentence> own = dealt(team, all);
      const std::int64_t before = parts_of(own);
      even_out(own, Factorization::grandsibling, team);
      for (std::size_t k = 1; k < own.size(); ++k) EXPECT_LT(own[k - 1].number, own[k].number);
      const std::scoped_lock lock(mutex);
      largest = std::max(largest, before);
      loads.push_back(parts_of(own));
      for (const TrainingSentence& example : own) {
        EXPECT_TRUE(found.emplace(example.number, example).second) << example.number;
      }
    });
    const std::int64_t sum = std::accumulate(loads.begin(), loads.end(), std::int64_t{0});
    const double even = static_cast<double>(sum) / size;
    for (const std::int64_t load : loads) EXPECT_LT(std::abs(static_cast<double>(load) - even), 0.02 * even);
    const bool was_even = static_cast<double>(largest) < 1.3 * even;
    EXPECT_EQ(was_even, size != 2);
    ASSERT_EQ(found.size(), all.size());
    for (const TrainingSentence& example : all) {
      const TrainingSentence& moved = found[example.number];
      EXPECT_EQ(moved.heads, example.heads);
      EXPECT_EQ(moved.is_complete, example.is_complete);
      EXPECT_EQ(moved.candidates, example.candidates);
      ASSERT_EQ(moved.sentence.size(), example.sentence.size());
      for (int word = 1; word <= example.sentence.size(); ++word) {
        EXPECT_EQ(moved.sentence[word], example.sentence[word]);
      }
    }
  }
}

TEST(EvenOut, AShareMayBeEmpty) {
  Generator random = case_generator(0);
  const std::vector<TrainingSentence> all = tiny_treebank(random, {RootMode::multi, false, 0.3, 2});
  run_team(3, [&](Team& team) {
    std::vector<TrainingSentence> own = dealt(team, all);
    even_out(own, Factorization::first, team);
    EXPECT_EQ(team.sum(static_cast<std::int64_t>(own.size())), 2);
  });
}

TEST(Fingerprint, IsTheSameForAnyNumberOfProcesses) {
  Generator random = case_generator(0);
  const std::vector<TrainingSentence> all = tiny_treebank(random, {RootMode::multi, false, 0.3, 20});
  const std::uint64_t expected = fingerprint(all, 7);
  for (const int size : {2, 3, 7}) {
    run_team(size, [&](Team& team) { EXPECT_EQ(fingerprint(dealt(team, all), 7, team), expected); });
  }
  EXPECT_NE(fingerprint(all, 8), expected);
  std::vector<TrainingSentence> others = all;
  std::swap(others[0].number, others[1].number);  // another order
  EXPECT_NE(fingerprint(others, 7), expected);
  others = all;
  others.pop_back();
  EXPECT_NE(fingerprint(others, 7), expected);
  others = all;
  others[3].heads[1] = others[3].heads[1] == 0 ? kNoHead : 0;
  EXPECT_NE(fingerprint(others, 7), expected);
}

}  // namespace
}  // namespace copse
