#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace copse {

// A score for every label of every arc of a sentence. Given an arc, its labels are distributed as
// P(label | arc) ∝ exp(score).
class ArcLabelScores {
 public:
  void assign(int arcs, int labels) {
    labels_ = static_cast<std::size_t>(labels);
    scores_.assign(static_cast<std::size_t>(arcs) * labels_, 0.0);
  }
  int labels() const { return static_cast<int>(labels_); }
  std::span<double> of(int arc) {
    return std::span(scores_).subspan(static_cast<std::size_t>(arc) * labels_, labels_);
  }
  std::span<const double> of(int arc) const {
    return std::span(scores_).subspan(static_cast<std::size_t>(arc) * labels_, labels_);
  }

  void scale(double factor) {
    for (double& score : scores_) score *= factor;
  }

  int best(int arc) const;
  double best_score(int arc) const { return of(arc)[static_cast<std::size_t>(best(arc))]; }
  // The logarithm of the sum of exp(score) over all labels.
  double log_sum(int arc) const;
  // Sets the probabilities of all labels, given the arc.
  void probabilities(int arc, std::span<double> probabilities) const;

 private:
  std::size_t labels_ = 0;
  std::vector<double> scores_;  // by arc and label
};

}  // namespace copse
