#include "optimisers/online_learner.h"

#include <algorithm>
#include <limits>

#include "optimisers/restore_numbers.h"
#include "optimisers/shuffled_order.h"

namespace copse {
namespace {

double dot(const SparseVector& a, const SparseVector& b) {
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

// Orders by weight and adds up what comes several times.
void normalise(SparseVector& vector) {
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

OnlineLearner::OnlineLearner(const Objective& objective, std::uint64_t seed)
    : examples_(objective.examples()),
      seed_(seed),
      workspace_(objective.make_workspace()),
      weights_(objective.weights()) {}

bool OnlineLearner::iterate() {
  errors_ = 0.0;
  for (const std::size_t example : shuffled_order(examples_, seed_, passes_)) {
    errors_ += learn(*workspace_, example, weights_);
    weights_.next_moment();
  }
  ++passes_;
  average_.clear();
  return errors_ > 0.0;
}

LearnerProgress OnlineLearner::progress() const {
  return {errors_, std::numeric_limits<double>::quiet_NaN()};
}

std::span<const float> OnlineLearner::weights() {
  if (average_.empty()) average_ = weights_.average();
  return average_;
}

void OnlineLearner::save(SectionFileWriter& file) const {
  ByteWriter state;
  state.u64(passes_);
  state.f64(errors_);
  state.u64(weights_.moment());
  file.add("learner", state.take());
  file.add_numbers("weights", weights_.now_values());
  file.add_numbers("changes", weights_.weighted_changes());
}

void OnlineLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  ByteReader state = file.reader("learner");
  passes_ = state.u64();
  errors_ = state.f64();
  weights_.moment() = state.u64();
  state.expect_end();
  restore_numbers(file, "weights", weights_.now_values());
  restore_numbers(file, "changes", weights_.weighted_changes());
  average_.clear();
}

int Perceptron::learn(ExampleWorkspace& examples, std::size_t example, AveragedWeights& weights) {
  const int errors = examples.rivals(example, weights.now(), 1)[0].errors;
  if (errors == 0) return 0;
  difference_.clear();
  examples.append_difference(0, difference_);
  for (const auto& [weight, amount] : difference_) weights.add(weight, amount);
  return errors;
}

int Mira::learn(ExampleWorkspace& examples, std::size_t example, AveragedWeights& weights) {
  const std::span<const Rival> rivals = examples.rivals(example, weights.now(), kbest_);
  differences_.resize(std::max(differences_.size(), rivals.size()));
  violations_.clear();
  for (std::size_t k = 0; k < rivals.size(); ++k) {
    if (rivals[k].errors == 0) continue;
    SparseVector& difference = differences_[violations_.size()];
    difference.clear();
    examples.append_difference(k, difference);
    normalise(difference);
    violations_.push_back(rivals[k].errors - rivals[k].score_gap);
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
    for (const auto& [weight, amount] : differences_[i]) weights.add(weight, multipliers[i] * amount);
  }
  return rivals.empty() ? 0 : rivals.front().errors;
}

}  // namespace copse
