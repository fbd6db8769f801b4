#include "sequence/candidate_dictionary.h"

#include "model/candidate_counts.h"

namespace copse {

CandidateLabels collect_candidates(const SequenceSource& source, const SequenceTrainingOptions& options,
                                   Team& team) {
  CandidateCounts counts(
      {options.labels, options.fewest_for_list, options.fewest_for_general_list, 0.0, options.longest_list},
      team);
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
  for_each_position([&](const auto& keys, Label label) { counts.count(keys, label); });
  counts.end_first_pass();
  for_each_position([&](const auto& keys, Label label) { counts.count_again(keys, label); });
  return counts.take();
}

}  // namespace copse
