#include "model/candidate_counts.h"

#include <algorithm>
#include <numeric>

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
  if (!has_list) is_open_[label] = 1;
}

CandidateLabels CandidateCounts::take() {
  CandidateLabels result;
  std::vector<LabelRows::Entry> entries;
  for (const auto& [key, counts] : keys_) {
    if (!counts.is_frequent()) continue;
    for (const auto& [label, count] : counts.of_label) {
      if (count >= options_.least_share * counts.count) entries.push_back({key, label, 0.0F});
    }
  }
  result.lists = LabelRows::of_labels(std::move(entries));
  for (std::size_t label = 0; label < is_open_.size(); ++label) {
    if (is_open_[label] != 0) result.others.push_back(static_cast<Label>(label));
  }
  if (result.others.empty()) {
    result.others.resize(is_open_.size());
    std::iota(result.others.begin(), result.others.end(), Label{0});
  }
  return result;
}

}  // namespace copse
