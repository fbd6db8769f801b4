#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "copse/model/candidate_labels.h"

namespace copse {

// Collects the candidate labels of keys that come often enough, in two passes over the same examples.
class CandidateCounts {
 public:
  // How often a key must come to have a list: the first of an example's keys, and the others.
  CandidateCounts(int labels, int fewest_for_first_key, int fewest_for_other_keys)
      : fewest_for_first_key_(fewest_for_first_key),
        fewest_for_other_keys_(fewest_for_other_keys),
        is_open_(static_cast<std::size_t>(labels)) {}

  void count(std::span<const std::uint64_t> keys, Label label);
  // After all examples have been counted: where the first key has no list, any label may be that was seen in
  // such a place.
  void count_again(std::span<const std::uint64_t> keys, Label label);
  CandidateLabels take();

 private:
  struct KeyCounts {
    int count = 0;
    int fewest = 0;             // that make it frequent
    std::vector<Label> labels;  // in order

    bool is_frequent() const { return count >= fewest; }
  };

  int fewest_for_first_key_;
  int fewest_for_other_keys_;
  std::unordered_map<std::uint64_t, KeyCounts> keys_;
  std::vector<std::uint8_t> is_open_;  // by label
};

}  // namespace copse
