#pragma once

#include <memory>
#include <span>

#include "optimisers/objective.h"
#include "sequence/sequence_lists.h"

namespace copse {

// Sequences of labels, as learners see them. The loss of a sequence is - log P(gold labels); with a margin,
// that of softmax-margin.
class SequenceObjective : public Objective {
 public:
  // Borrows the lists. `margin` is added to the score of every wrong label.
  SequenceObjective(std::span<const SequenceList> lists, std::size_t weights, int order, double margin)
      : lists_(lists), weights_(weights), order_(order), margin_(margin) {}

  std::size_t examples() const override { return lists_.size(); }
  std::uint64_t number(std::size_t sequence) const override { return lists_[sequence].number; }
  std::size_t weights() const override { return weights_; }
  std::size_t cost(std::size_t sequence) const override { return lists_[sequence].features.size(); }
  std::unique_ptr<ExampleWorkspace> make_workspace() const override;

 private:
  std::span<const SequenceList> lists_;
  std::size_t weights_;
  int order_;
  double margin_;
};

}  // namespace copse
