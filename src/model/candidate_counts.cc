#include "model/candidate_counts.h"

#include <algorithm>

namespace copse {

void CandidateCounts::count(std::span<const std::uint64_t> keys, Label label) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] == CandidateLabels::kNoKey) continue;
    KeyCounts& counts = keys_[keys[k]];
    counts.fewest = k == 0 ? options_.fewest_for_first_key : options_.fewest_for_other_keys;
    ++counts.count;
    auto& labels = counts.of_label;
    auto place = std::lower_bound(labels.begin(), labels.end(), std::pair{label, 0});
    if (place == labels.end() || place->first != label) place = labels.insert(place, {label, 0});
    ++place->second;
  }
}

void CandidateCounts::count_again(std::span<const std::uint64_t> keys, Label label) {
  const bool has_list = keys[0] != CandidateLabels::kNoKey && keys_[keys[0]].is_frequent();
  if (!has_list) ++open_counts_[label];
}

void CandidateCounts::cut(LabelCounts& list) const {
  if (list.size() <= options_.longest_list) return;
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  list.resize(options_.longest_list);
  std::sort(list.begin(), list.end());
}

CandidateLabels CandidateCounts::take() {
  CandidateLabels result;
  std::vector<LabelRows::Entry> entries;
  for (auto& [key, counts] : keys_) {
    if (!counts.is_frequent()) continue;
    cut(counts.of_label);
    for (const auto& [label, count] : counts.of_label) {
      if (count >= options_.least_share * counts.count) entries.push_back({key, label, 0.0F});
    }
  }
  result.lists = LabelRows::of_labels(std::move(entries));
  LabelCounts others;
  for (std::size_t label = 0; label < open_counts_.size(); ++label) {
    if (open_counts_[label] != 0) others.emplace_back(static_cast<Label>(label), open_counts_[label]);
  }
  if (others.empty()) {
    for (std::size_t label = 0; label < open_counts_.size(); ++label) {
      others.emplace_back(static_cast<Label>(label), 0);
    }
  }
  cut(others);
  for (const auto& [label, count] : others) result.others.push_back(label);
  return result;
}

}  // namespace copse
