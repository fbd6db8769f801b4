// All sequences of a chain, one by one: written from the definitions and independent of the library's sweeps.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "inference/test_settings.h"
#include "sequence/chain_parts.h"

namespace copse::testing {

using Generator = std::mt19937_64;

inline int uniform(Generator& random, int lowest, int highest) {
  return std::uniform_int_distribution<int>(lowest, highest)(random);
}

inline void for_each_sequence(const std::vector<int>& candidates,
                              const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> labels(candidates.size(), 0);
  for (;;) {
    visit(labels);
    std::size_t position = 0;
    while (position < labels.size() && ++labels[position] == candidates[position]) labels[position++] = 0;
    if (position == labels.size()) return;
  }
}

// Calls add(value) for the value of each part that the sequence has.
template <class Values, class Visit>
void for_each_part(const ChainParts& parts, const std::vector<int>& labels, Values& values, Visit visit) {
  for (int t = 0; t < parts.size(); ++t) {
    const auto at = [&](int position) {
      return position < 0 ? 0 : labels[static_cast<std::size_t>(position)];
    };
    visit(values.labels[parts.label(t, at(t))]);
    if (parts.order() >= 1) visit(values.pairs[parts.pair(t, at(t - 1), at(t))]);
    if (parts.order() >= 2) visit(values.triples[parts.triple(t, at(t - 2), at(t - 1), at(t))]);
  }
}

inline double naive_score(const ChainParts& parts, const ChainValues& potentials,
                          const std::vector<int>& labels) {
  double score = 0.0;
  for_each_part(parts, labels, potentials, [&](double value) { score += value; });
  return score;
}

struct NaiveChain {
  double log_partition = -std::numeric_limits<double>::infinity();
  double entropy = 0.0;
  double best_score = -std::numeric_limits<double>::infinity();
  ChainValues marginals;
};

inline NaiveChain enumerate(const ChainParts& parts, const std::vector<int>& candidates,
                            const ChainValues& potentials) {
  NaiveChain result;
  result.marginals.assign(parts);
  for_each_sequence(candidates, [&](const std::vector<int>& labels) {
    result.best_score = std::max(result.best_score, naive_score(parts, potentials, labels));
  });
  double sum = 0.0;
  for_each_sequence(candidates, [&](const std::vector<int>& labels) {
    sum += std::exp(naive_score(parts, potentials, labels) - result.best_score);
  });
  result.log_partition = result.best_score + std::log(sum);
  for_each_sequence(candidates, [&](const std::vector<int>& labels) {
    const double log_probability = naive_score(parts, potentials, labels) - result.log_partition;
    const double probability = std::exp(log_probability);
    if (probability > 0.0) result.entropy -= probability * log_probability;
    for_each_part(parts, labels, result.marginals, [&](double& value) { value += probability; });
  });
  return result;
}

inline std::vector<int> random_candidates(Generator& random, int positions, int most) {
  std::vector<int> candidates(static_cast<std::size_t>(positions));
  for (int& count : candidates) count = uniform(random, 1, most);
  return candidates;
}

inline void fill(ChainValues& values, const std::function<double()>& draw) {
  for (auto* list : {&values.labels, &values.pairs, &values.triples}) {
    for (double& value : *list) value = draw();
  }
}

}  // namespace copse::testing
