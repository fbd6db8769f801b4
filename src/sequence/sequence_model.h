#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/bytes.h"
#include "model/candidate_labels.h"
#include "model/feature_table.h"
#include "model/label_rows.h"
#include "sequence/sequence_observations.h"

namespace copse {

// Stands for the positions before the first one in pairs and triples of labels.
inline constexpr Label kBoundaryLabel = 0xFFFF;

// Weights of pairs and triples of neighbouring labels; 0 for those that are not there.
class TransitionWeights {
 public:
  struct Entry {
    Label before_that;  // kBoundaryLabel - 1 for pairs
    Label before;
    Label label;
    float weight;
  };
  static constexpr Label kNoLabel = kBoundaryLabel - 1;

  TransitionWeights() = default;
  // Weights are rounded as in LabelRows.
  TransitionWeights(std::span<const Entry> entries, double unit);

  double pair(Label before, Label label) const { return find(key(kNoLabel, before, label)); }
  double triple(Label before_that, Label before, Label label) const {
    return find(key(before_that, before, label));
  }
  std::size_t size() const { return entries_.size(); }

  static std::uint64_t key(Label before_that, Label before, Label label);

  void save(ByteWriter& writer) const;
  static TransitionWeights load(ByteReader& reader, int labels);

 private:
  double find(std::uint64_t hash) const;

  double unit_ = 1.0;
  std::vector<Entry> entries_;  // weights in units
  FeatureTable table_;
};

// Scores labels in sequences: a linear-chain model over candidate labels. Constant once made: threads share
// it.
struct SequenceModel {
  int order = 1;
  int labels = 0;
  CandidateLabels candidates;
  // Of the candidates, those stay whose probability under the coarse model, which sees each position by
  // itself, is at least so large a part of the most probable one's, up to `most_candidates`. 0: no coarse
  // pass.
  double coarse_threshold = 0.0;
  int most_candidates = 0;
  LabelRows coarse;
  LabelRows weights;
  TransitionWeights transitions;

  void save(ByteWriter& writer) const;
  static SequenceModel load(ByteReader& reader);
};

}  // namespace copse
