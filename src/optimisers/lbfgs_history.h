#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimisers/chunked_sums.h"
#include "optimisers/lbfgs.h"
#include "optimisers/lbfgs_kernels.h"
#include "parallel/task_pool.h"

namespace copse {

// The vectors of L-BFGS: the last iterates, the direction and a trial point.
//
// The iterates are kept instead of their differences s and y. It takes the same memory, they are what a
// checkpoint holds, and a new iterate is where the function wrote it. The two loops over the pairs that give
// the direction are carried out on the inner products of the vectors, in doubles; of the vectors, they need
// one pass for the new products and one for the sum.
//
// In a team, every process has its part of all vectors, and sums are added up over all of them. What the
// function is evaluated at, the whole of x, is brought together by gather_trial_x().
class LbfgsHistory {
 public:
  // `first_trials` are the trial points to accept before anything else is done, up to pairs + 1 of them.
  LbfgsHistory(TaskPool& pool, std::size_t dimension, int pairs, double l1,
               std::vector<LbfgsIterate> first_trials);

  // The whole trial point; valid until the next call.
  std::span<const float> gather_trial_x() { return gather(slot(iterates_)); }
  std::span<float> trial_gradient() { return {slot(iterates_).gradient.data(), part_.size()}; }
  // Makes the trial point, with its gradient filled in, the newest iterate.
  void accept_trial();

  // Makes x() the whole of the newest iterate. Not needed if that is the trial point gathered last.
  void gather_x() { gather(slot(iterates_ - 1)); }
  std::span<const float> x() const {
    return {team_->is_alone() ? slot(iterates_ - 1).x.data() : whole_x_.data(), dimension_};
  }
  std::span<const float> gradient() const { return {slot(iterates_ - 1).gradient.data(), part_.size()}; }
  double x_norm() const { return x_norm_; }
  double gradient_norm() const { return gradient_norm_; }  // with a penalty, of the pseudo-gradient

  struct Trial {
    double slope;             // at the newest iterate
    double distance;          // from it
    double predicted_change;  // of the value, by its gradient
    double penalty;           // at the trial point
  };
  bool has_usable_pair() const;
  // Choose a direction and a step on it. Quasi-Newton directions need a usable pair.
  Trial aim_quasi_newton(double step) { return aim(quasi_newton_weights(), step); }
  Trial aim_steepest(double step) { return aim(steepest_weights(), step); }
  // Another step in the same direction.
  Trial move_trial(double step);
  // The function's slope along the direction at the trial point. Not finite if any part of the gradient is
  // not.
  double slope_at_trial();

 private:
  // The k-th iterate, the oldest first; after the newest comes the trial point.
  std::size_t slot_number(std::size_t k) const { return (oldest_ + k) % slots_.size(); }
  LbfgsIterate& slot(std::size_t k) { return slots_[slot_number(k)]; }
  const LbfgsIterate& slot(std::size_t k) const { return slots_[slot_number(k)]; }
  // Pairs are counted from the oldest; `newer` is not before `older`.
  std::size_t product_index(std::size_t newer, std::size_t older) const {
    return slot_number(newer + 1) * slots_.size() + slot_number(older + 1);
  }
  double y_with_s(std::size_t newer, std::size_t older) const {
    return y_with_s_[product_index(newer, older)];
  }
  double y_with_y(std::size_t a, std::size_t b) const {
    return y_with_y_[a > b ? product_index(a, b) : product_index(b, a)];
  }
  bool is_usable(std::size_t pair) const { return is_usable_[slot_number(pair + 1)]; }

  std::span<const float> gather(const LbfgsIterate& iterate);
  const DirectionWeights& quasi_newton_weights();
  const DirectionWeights& steepest_weights();
  Trial aim(const DirectionWeights& weights, double step);
  Trial trial_from(std::span<const double> sums) const;

  Team* team_;
  std::size_t dimension_;
  VectorRange part_;  // this process's
  double l1_;
  std::vector<LbfgsIterate> slots_;
  std::size_t oldest_ = 0;
  std::size_t iterates_ = 0;
  std::vector<IterateView> views_;  // of the iterates, the oldest first
  std::vector<float> whole_x_;      // in a team of several
  std::vector<float> direction_;
  ChunkedSums sums_;

  // Of pairs, at the place of their later iterate.
  std::vector<double> y_with_s_;
  std::vector<double> y_with_y_;
  std::vector<bool> is_usable_;
  // Of the pairs, the oldest first, with the newest gradient.
  std::vector<double> gradient_with_s_;
  std::vector<double> gradient_with_y_;
  double x_norm_ = 0.0;
  double gradient_norm_ = 0.0;
  DirectionWeights weights_;
};

}  // namespace copse
