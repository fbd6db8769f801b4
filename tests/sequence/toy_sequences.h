// Sequences whose labels follow from what is seen and from the labels before, for tests that train.
#pragma once

#include <vector>

#include "features/hashing.h"
#include "sequence/chain_enumeration.h"
#include "sequence/sequence_trainer.h"

namespace copse::testing {

// Four labels. The symbols 0 and 1 say theirs; 2 is seen with both 2 and 3, whichever the label two places
// before decides; 3 stands for rare symbols of label 3.
class ToySequences : public SequenceSource {
 public:
  static constexpr int kLabels = 4;

  ToySequences(int sequences, std::uint64_t seed, int noise = 0) {
    Generator random(seed);
    for (int k = 0; k < sequences; ++k) {
      std::vector<int>& symbols = symbols_.emplace_back();
      std::vector<Label>& labels = labels_.emplace_back();
      for (int length = uniform(random, 1, 12); length > 0; --length) {
        const int symbol = uniform(random, 0, 3);
        Label label = static_cast<Label>(symbol);
        if (symbol == 2 && labels.size() >= 2 && labels[labels.size() - 2] == 0) label = 3;
        if (noise > 0 && uniform(random, 1, noise) == 1) label = static_cast<Label>(uniform(random, 0, 3));
        symbols.push_back(symbol == 3 ? 3 + uniform(random, 0, 50) : symbol);
        labels.push_back(label);
      }
    }
  }

  std::size_t size() const override { return symbols_.size(); }
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    observations.clear();
    for (const int symbol : symbols_[k]) {
      observations.add(mix(1));
      observations.add(mix(100 + static_cast<std::uint64_t>(symbol)));
      if (symbol >= 3) observations.add(mix(2));
      observations.end_coarse();
      observations.add(mix(200 + static_cast<std::uint64_t>(symbol)));
      observations.end_position(
          {mix(300 + static_cast<std::uint64_t>(symbol)), SequenceObservations::kNoKey});
    }
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[k]; }

 private:
  std::vector<std::vector<int>> symbols_;
  std::vector<std::vector<Label>> labels_;
};

inline SequenceTrainingOptions toy_options(int order, LearnerKind learner) {
  SequenceTrainingOptions options;
  options.order = order;
  options.labels = ToySequences::kLabels;
  options.learner = learner;
  options.l2 = 0.1;
  options.fewest_for_list = 20;
  options.coarse_threshold = 1e-3;
  return options;
}

}  // namespace copse::testing
