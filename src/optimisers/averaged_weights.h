#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// Weights, and their average over all moments so far. A change at moment t counts for all later ones, so it
// is enough to sum up changes times t.
class AveragedWeights {
 public:
  explicit AveragedWeights(std::size_t features) : now_(features), weighted_changes_(features) {}

  std::span<const float> now() const { return now_; }
  void add(std::uint32_t feature, double amount) {
    now_[feature] += static_cast<float>(amount);
    weighted_changes_[feature] += amount * static_cast<double>(moment_);
  }
  void next_moment() { ++moment_; }

  std::vector<float> average() const {
    std::vector<float> average(now_.size());
    for (std::size_t k = 0; k < now_.size(); ++k) {
      average[k] = static_cast<float>(now_[k] - weighted_changes_[k] / static_cast<double>(moment_));
    }
    return average;
  }

  // For checkpoints.
  std::vector<float>& now_values() { return now_; }
  std::vector<double>& weighted_changes() { return weighted_changes_; }
  std::uint64_t& moment() { return moment_; }
  const std::vector<float>& now_values() const { return now_; }
  const std::vector<double>& weighted_changes() const { return weighted_changes_; }
  const std::uint64_t& moment() const { return moment_; }

 private:
  std::vector<float> now_;
  std::vector<double> weighted_changes_;
  std::uint64_t moment_ = 1;
};

}  // namespace copse
