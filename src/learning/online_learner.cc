#include "learning/online_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "optimisation/shuffled_order.h"

namespace copse {
namespace {

int count_differences(std::span<const int> a, std::span<const int> b) {
  int different = 0;
  for (std::size_t word = 1; word < a.size(); ++word) different += a[word] != b[word] ? 1 : 0;
  return different;
}

template <class Vector>
double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (left->first == right->first) {
      sum += left++->second * right++->second;
    } else if (left->first < right->first) {
      ++left;
    } else {
      ++right;
    }
  }
  return sum;
}

// Orders by feature and adds up what comes several times.
template <class Vector>
void normalise(Vector& vector) {
  std::sort(vector.begin(), vector.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < vector.size();) {
    auto entry = vector[k++];
    while (k < vector.size() && vector[k].first == entry.first) entry.second += vector[k++].second;
    if (entry.second != 0.0) vector[kept++] = entry;
  }
  vector.resize(kept);
}

}  // namespace

OnlineLearner::OnlineLearner(const TrainingProblem& problem, std::uint64_t seed)
    : problem_(problem),
      seed_(seed),
      example_(*problem.lists, problem.trees, 0.0, LabelUse::best),
      weights_(problem.features()) {}

bool OnlineLearner::iterate() {
  wrong_heads_ = 0.0;
  for (const std::size_t sentence : shuffled_order(problem_.sentences(), seed_, passes_)) {
    example_.assign(sentence);
    example_.score(weights_.now());
    wrong_heads_ += learn(example_, weights_);
    weights_.next_moment();
  }
  ++passes_;
  average_.clear();
  return wrong_heads_ > 0.0;
}

LearnerProgress OnlineLearner::progress() const {
  return {wrong_heads_, std::numeric_limits<double>::quiet_NaN()};
}

std::span<const float> OnlineLearner::weights() {
  if (average_.empty()) average_ = weights_.average();
  return average_;
}

void OnlineLearner::save(SectionFileWriter& file) const {
  ByteWriter state;
  state.u64(passes_);
  state.f64(wrong_heads_);
  state.u64(weights_.moment());
  file.add("learner", state.take());
  file.add_numbers("weights", weights_.now_values());
  file.add_numbers("changes", weights_.weighted_changes());
}

void OnlineLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  ByteReader state = file.reader("learner");
  passes_ = state.u64();
  wrong_heads_ = state.f64();
  weights_.moment() = state.u64();
  state.expect_end();
  restore_numbers(file, "weights", weights_.now_values());
  restore_numbers(file, "changes", weights_.weighted_changes());
  average_.clear();
}

int Perceptron::learn(Example& example, AveragedWeights& weights) {
  example.gold_tree(gold_);
  best_.resize(gold_.size());
  example.distribution().best_tree(best_);
  const int wrong = count_differences(gold_, best_) + example.wrong_labels(best_);
  if (wrong == 0) return 0;
  example.compare(gold_, best_);
  example.for_each_coefficient(
      [&](std::uint32_t feature, std::int64_t change) { weights.add(feature, from_fixed_point(change)); });
  return wrong;
}

int Mira::learn(Example& example, AveragedWeights& weights) {
  example.gold_tree(gold_);
  example.distribution().k_best(kbest_, trees_);
  const double gold_score = example.gold_score(gold_);
  differences_.resize(std::max(differences_.size(), trees_.size()));
  violations_.clear();
  for (const ScoredTree& tree : trees_) {
    const int wrong = count_differences(gold_, tree.heads) + example.wrong_labels(tree.heads);
    if (wrong == 0) continue;
    SparseVector& difference = differences_[violations_.size()];
    difference.clear();
    example.compare(gold_, tree.heads);
    example.for_each_coefficient([&](std::uint32_t feature, std::int64_t change) {
      difference.emplace_back(feature, from_fixed_point(change));
    });
    normalise(difference);
    violations_.push_back(wrong - (gold_score - tree.score));
  }
  const std::size_t constraints = violations_.size();
  gram_.resize(constraints * constraints);
  for (std::size_t i = 0; i < constraints; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      gram_[i * constraints + j] = gram_[j * constraints + i] = dot(differences_[i], differences_[j]);
    }
  }
  const std::span<const double> multipliers = solver_.solve(gram_, violations_);
  for (std::size_t i = 0; i < constraints; ++i) {
    if (multipliers[i] == 0.0) continue;
    for (const auto& [feature, amount] : differences_[i]) weights.add(feature, multipliers[i] * amount);
  }
  if (trees_.empty()) return 0;
  const std::vector<int>& best = trees_.front().heads;
  return count_differences(gold_, best) + example.wrong_labels(best);
}

}  // namespace copse
