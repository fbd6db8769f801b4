#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sequence/chain_distribution.h"
#include "sequence/sequence_model.h"

namespace copse {

// Chooses the candidates of every position. A workspace for one thread.
class CandidateChooser {
 public:
  // Sets labels to the candidates of all positions, one after the other, each position's in rising order, and
  // counts to how many each has.
  void choose(const SequenceModel& model, const SequenceObservations& observations,
              std::vector<Label>& labels, std::vector<int>& counts);

 private:
  void keep_probable(const SequenceModel& model, std::span<const std::uint32_t> sums,
                     std::vector<Label>& labels, std::size_t first);

  std::vector<std::uint32_t> sums_;  // by label
  std::vector<std::uint32_t> rows_;
  std::vector<std::pair<std::int32_t, Label>> ranked_;
};

// The labels of sequences under a model. A workspace for one thread; the model is shared.
class SequenceLabeller {
 public:
  // Borrows the model.
  explicit SequenceLabeller(const SequenceModel& model) : model_(&model) {}

  // Makes the distribution of a sequence, given what is known: by position, the labels that it may have; an
  // empty list, or none at all, means any. All arguments are used in this call alone.
  void assign(const SequenceObservations& observations, std::span<const std::span<const Label>> allowed = {});

  // The most probable sequence of labels, valid until the next one is assigned.
  std::span<const Label> best();
  // The candidate labels of a position and, one each, their probabilities.
  std::span<const Label> candidates(int position) const;
  std::span<const double> probabilities(int position);

  int size() const { return static_cast<int>(counts_.size()); }
  ChainDistribution& distribution() { return distribution_; }

 private:
  void restrict_candidates(std::span<const std::span<const Label>> allowed);
  void score_labels(const SequenceObservations& observations);
  void score_transitions();

  const SequenceModel* model_;
  CandidateChooser chooser_;
  std::vector<Label> labels_;
  std::vector<int> counts_;
  std::vector<Label> chosen_;  // before what is known was taken into account
  ChainParts parts_;
  ChainValues potentials_;
  ChainDistribution distribution_;
  std::vector<std::uint32_t> sums_;
  std::vector<std::uint32_t> rows_;
  std::vector<int> best_indices_;
  std::vector<Label> best_labels_;
};

}  // namespace copse
