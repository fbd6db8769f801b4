#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/candidate_labels.h"
#include "parallel/team.h"

namespace copse {

// Collects the candidate labels of keys that come often enough, in two passes over the same examples. In a
// team, each process has its own examples, and all get the same lists.
class CandidateCounts {
 public:
  struct Options {
    int labels = 0;
    // How often a key must come to have a list: the first of an example's keys, and the others.
    int fewest_for_first_key = 1;
    int fewest_for_other_keys = 1;
    // Labels that less than this part of a key's examples have are not in its list.
    double least_share = 0.0;
    // Longer lists are cut to their most frequent labels.
    std::size_t longest_list = SIZE_MAX;
  };

  // Borrows the team.
  explicit CandidateCounts(const Options& options, Team& team = Team::alone())
      : options_(options), team_(&team), open_counts_(static_cast<std::size_t>(options.labels)) {}

  void count(std::span<const std::uint64_t> keys, Label label);
  // Between the passes: adds up the counts of the team.
  void end_first_pass();
  // After all examples have been counted: where the first key has no list, any label may be that was seen in
  // such a place.
  void count_again(std::span<const std::uint64_t> keys, Label label);
  // Adds up what the team has counted in the second pass, too.
  CandidateLabels take();

 private:
  using LabelCounts = std::vector<std::pair<Label, std::int64_t>>;  // in the order of labels
  struct KeyCounts {
    std::int64_t count = 0;
    int fewest = 0;  // that make it frequent
    LabelCounts of_label;

    bool is_frequent() const { return count >= fewest; }
  };

  void add(std::uint64_t key, int fewest, Label label, std::int64_t count);
  void cut(LabelCounts& list) const;

  Options options_;
  Team* team_;
  std::unordered_map<std::uint64_t, KeyCounts> keys_;
  std::vector<std::int64_t> open_counts_;  // by label: how often where the first key has no list
};

}  // namespace copse
