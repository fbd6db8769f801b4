#include "sequence/candidate_dictionary.h"

#include <algorithm>
#include <unordered_map>

namespace copse {
namespace {

struct KeyCounts {
  int count = 0;
  int fewest = 0;             // that make it frequent
  std::vector<Label> labels;  // in order

  bool is_frequent() const { return count >= fewest; }
};
using Dictionary = std::unordered_map<std::uint64_t, KeyCounts>;

void add(KeyCounts& counts, Label label) {
  ++counts.count;
  const auto place = std::lower_bound(counts.labels.begin(), counts.labels.end(), label);
  if (place == counts.labels.end() || *place != label) counts.labels.insert(place, label);
}

}  // namespace

CandidateLists collect_candidates(const SequenceSource& source, const SequenceTrainingOptions& options) {
  Dictionary dictionary;
  SequenceObservations observations;
  const auto for_each_position = [&](auto visit) {
    for (std::size_t k = 0; k < source.size(); ++k) {
      source.observe(k, 0, observations);
      const std::span<const Label> gold = source.gold(k);
      for (int position = 0; position < observations.size(); ++position) {
        visit(observations.keys(position), gold[static_cast<std::size_t>(position)]);
      }
    }
  };
  for_each_position([&](const SequenceObservations::Keys& keys, Label label) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k] == SequenceObservations::kNoKey) continue;
      KeyCounts& counts = dictionary[keys[k]];
      add(counts, label);
      counts.fewest = k == 0 ? options.fewest_for_list : options.fewest_for_general_list;
    }
  });
  std::vector<std::uint8_t> is_open(static_cast<std::size_t>(options.labels));
  for_each_position([&](const SequenceObservations::Keys& keys, Label label) {
    const bool has_list = keys[0] != SequenceObservations::kNoKey && dictionary[keys[0]].is_frequent();
    if (!has_list) is_open[label] = 1;
  });
  CandidateLists result;
  std::vector<LabelRows::Entry> entries;
  for (const auto& [key, counts] : dictionary) {
    if (!counts.is_frequent()) continue;
    for (const Label label : counts.labels) entries.push_back({key, label, 0.0F});
  }
  result.lists = LabelRows::of_labels(std::move(entries));
  for (int label = 0; label < options.labels; ++label) {
    if (is_open[static_cast<std::size_t>(label)] != 0) result.others.push_back(static_cast<Label>(label));
  }
  if (result.others.empty()) {
    for (int label = 0; label < options.labels; ++label) result.others.push_back(static_cast<Label>(label));
  }
  return result;
}

}  // namespace copse
