#include "model/candidate_counts.h"

#include <algorithm>

#include "parallel/team_values.h"

namespace copse {

void CandidateCounts::count(std::span<const std::uint64_t> keys, Label label) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] == CandidateLabels::kNoKey) continue;
    add(keys[k], k == 0 ? options_.fewest_for_first_key : options_.fewest_for_other_keys, label, 1);
  }
}

void CandidateCounts::add(std::uint64_t key, int fewest, Label label, std::int64_t count) {
  KeyCounts& counts = keys_[key];
  counts.fewest = std::max(counts.fewest, fewest);
  counts.count += count;
  auto& labels = counts.of_label;
  auto place = std::lower_bound(labels.begin(), labels.end(), std::pair{label, std::int64_t{0}});
  if (place == labels.end() || place->first != label) place = labels.insert(place, {label, 0});
  place->second += count;
}

void CandidateCounts::end_first_pass() {
  if (team_->is_alone()) return;
  struct Counted {
    std::uint64_t key;
    std::int64_t count;
    int fewest;
    Label label;
  };
  std::vector<Counted> own;
  for (const auto& [key, counts] : keys_) {
    for (const auto& [label, count] : counts.of_label) own.push_back({key, count, counts.fewest, label});
  }
  keys_.clear();
  for (const Counted& counted : gather_values<Counted>(*team_, own)) {
    add(counted.key, counted.fewest, counted.label, counted.count);
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
  team_->add_up(open_counts_);
  CandidateLabels result;
  std::vector<LabelRows::Entry> entries;
  for (auto& [key, counts] : keys_) {
    if (!counts.is_frequent()) continue;
    cut(counts.of_label);
    for (const auto& [label, count] : counts.of_label) {
      if (static_cast<double>(count) >= options_.least_share * static_cast<double>(counts.count))
        entries.push_back({key, label, 0.0F});
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
