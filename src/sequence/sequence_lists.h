#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/feature_table.h"
#include "parallel/task_pool.h"
#include "sequence/sequence_trainer.h"

namespace copse {

// The candidates of a sequence.
struct LabelLattice {
  std::vector<Label> labels;  // position after position
  std::vector<int> counts;    // per position
  std::vector<int> gold;      // per position: the index of the gold label among the candidates, or -1
};

// Which features of the observations a model uses.
enum class FeatureRange : std::uint8_t { coarse, all };

// The weights of a model while it is learnt: those of features with labels, then those of transitions.
struct WeightIndex {
  struct FeatureLabel {
    std::uint64_t feature;
    Label label;
  };
  std::vector<FeatureLabel> feature_labels;           // by number
  std::vector<TransitionWeights::Entry> transitions;  // by number - feature_labels.size(); without weights
  FeatureTable feature_numbers;                       // by hash of feature and label
  FeatureTable transition_numbers;                    // by TransitionWeights::key

  std::size_t size() const { return feature_labels.size() + transitions.size(); }
  static std::uint64_t hash(std::uint64_t feature, Label label);
};

// A sequence with the numbers of all weights that its parts use.
struct SequenceList {
  static constexpr std::uint32_t kNone = FeatureTable::kAbsent;

  std::uint64_t number = 0;  // as in the source
  LabelLattice lattice;
  std::vector<std::uint32_t> features;  // of the candidates, one after the other
  std::vector<std::uint16_t> lengths;   // per candidate: how many of the features are its own
  std::vector<std::uint32_t> pairs;     // per pair of the chain, or kNone
  std::vector<std::uint32_t> triples;
};

// Some sequences of a source, with their candidates.
struct LatticeSet {
  const SequenceSource* source;
  std::vector<std::size_t> sequences;
  std::vector<LabelLattice> lattices;  // one each
};

// How the choice of candidates went.
struct CandidateTotals {
  std::int64_t positions = 0;
  std::int64_t candidates = 0;
  std::int64_t lost = 0;

  CandidateTotals& operator+=(const CandidateTotals& other);
};

// Sets the lattices to the candidates that the model chooses. Gold labels that are not among them are added,
// if wanted (and exist at all). The totals are those of all processes.
CandidateTotals choose_candidates(const SequenceModel& model, bool adds_gold, LatticeSet& set,
                                  TaskPool& pool);

// Of the sets of all processes.
WeightIndex index_weights(const LatticeSet& set, int order, FeatureRange range,
                          const SequenceTrainingOptions& options, TaskPool& pool);

// Takes the lattices over.
std::vector<SequenceList> list_weights(LatticeSet set, int order, FeatureRange range,
                                       const WeightIndex& index, TaskPool& pool);

}  // namespace copse
