#pragma once

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "inference/parts.h"

namespace copse::testing {

// Every question that can be asked of a distribution, with the answer as plain numbers: for tests that treat
// all operations alike.
struct Operation {
  const char* name;
  std::vector<double> (*answer)(TreeDistribution& distribution, int words);
};

inline void append_tree(std::vector<double>& answer, double value, const Heads& heads) {
  answer.push_back(value);
  answer.insert(answer.end(), heads.begin(), heads.end());
}

inline Heads no_heads(int words) { return Heads(static_cast<std::size_t>(words) + 1, -1); }

inline std::vector<double> answer_marginals(TreeDistribution& distribution, int /*words*/) {
  const Marginals& marginals = distribution.marginals();
  std::vector<double> answer;
  for (Order order : kOrders) {
    const std::vector<double>& values = values_of(marginals, order);
    answer.insert(answer.end(), values.begin(), values.end());
  }
  return answer;
}

inline std::vector<double> answer_best_tree(TreeDistribution& distribution, int words) {
  Heads heads = no_heads(words);
  std::vector<double> answer;
  const double score = distribution.best_tree(heads);
  append_tree(answer, score, heads);
  return answer;
}

inline std::vector<double> answer_k_best(TreeDistribution& distribution, int /*words*/) {
  std::vector<ScoredTree> trees;
  distribution.k_best(7, trees);
  std::vector<double> answer;
  for (const ScoredTree& tree : trees) append_tree(answer, tree.score, tree.heads);
  return answer;
}

inline std::vector<double> answer_sample(TreeDistribution& distribution, int words) {
  std::mt19937_64 random(12345);
  Heads heads = no_heads(words);
  std::vector<double> answer;
  for (int draw = 0; draw < 10; ++draw) {
    const double score = distribution.sample(random, heads);
    append_tree(answer, score, heads);
  }
  return answer;
}

inline std::vector<double> answer_min_risk_tree(TreeDistribution& distribution, int words) {
  Heads heads = no_heads(words);
  std::vector<double> answer;
  const double value = distribution.min_risk_tree(heads);
  append_tree(answer, value, heads);
  return answer;
}

inline std::vector<double> answer_log_probability(TreeDistribution& distribution, int words) {
  Heads chain = no_heads(words);
  for (int word = 1; word <= words; ++word) chain[word] = word - 1;
  return {distribution.log_probability(chain)};
}

inline constexpr std::array kOperations{
    Operation{"log_partition",
              [](TreeDistribution& d, int) { return std::vector<double>{d.log_partition()}; }},
    Operation{"marginals", answer_marginals},
    Operation{"entropy", [](TreeDistribution& d, int) { return std::vector<double>{d.entropy()}; }},
    Operation{"best_tree", answer_best_tree},
    Operation{"k_best", answer_k_best},
    Operation{"sample", answer_sample},
    Operation{"min_risk_tree", answer_min_risk_tree},
    Operation{"log_probability", answer_log_probability},
};

// Asked twice: an answer that was refused must not be there the second time.
inline void expect_infeasible(TreeDistribution& distribution, int words) {
  for (int round = 0; round < 2; ++round) {
    for (const Operation& operation : kOperations) {
      EXPECT_THROW(operation.answer(distribution, words), InfeasibleError) << operation.name;
    }
  }
}

}  // namespace copse::testing
