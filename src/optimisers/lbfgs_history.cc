#include "optimisers/lbfgs_history.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace copse {
namespace {

// A pair is used if the cosine between s and y is above this. Below, the curvature is negative (the function
// is not convex) or made of rounding errors.
constexpr double kLeastCosine = 1e-10;

std::size_t padded(std::size_t dimension) {
  return (dimension + kVectorPadding - 1) / kVectorPadding * kVectorPadding;
}

std::size_t most_sums(int pairs) {
  return std::max<std::size_t>(kNewestSums + static_cast<std::size_t>(pairs) * kPairSums, kTrialSums);
}

}  // namespace

LbfgsHistory::LbfgsHistory(TaskPool& pool, std::size_t dimension, int pairs, double l1,
                           std::vector<LbfgsIterate> first_trials)
    : team_(&pool.team()),
      dimension_(dimension),
      part_(own_part(pool.team(), dimension)),
      l1_(l1),
      slots_(std::move(first_trials)),
      whole_x_(team_->is_alone() ? 0 : dimension),
      direction_(padded(part_.size())),
      sums_(pool, padded(dimension), most_sums(pairs)) {
  const std::size_t slots = static_cast<std::size_t>(pairs) + 2;
  slots_.resize(slots);
  for (LbfgsIterate& iterate : slots_) {
    iterate.x.resize(padded(part_.size()));
    iterate.gradient.resize(padded(part_.size()));
  }
  views_.reserve(slots);
  y_with_s_.resize(slots * slots);
  y_with_y_.resize(slots * slots);
  is_usable_.resize(slots);
  gradient_with_s_.resize(slots);
  gradient_with_y_.resize(slots);
  weights_.pairs.reserve(slots);
}

std::span<const float> LbfgsHistory::gather(const LbfgsIterate& iterate) {
  if (team_->is_alone()) return {iterate.x.data(), dimension_};
  std::copy_n(iterate.x.begin(), part_.size(), whole_x_.begin() + static_cast<std::ptrdiff_t>(part_.begin));
  team_->gather_parts(std::span(whole_x_), part_bounds(*team_, dimension_));
  return whole_x_;
}

void LbfgsHistory::accept_trial() {
  if (iterates_ + 1 == slots_.size()) {
    oldest_ = slot_number(1);
  } else {
    ++iterates_;
  }
  views_.clear();
  for (std::size_t k = 0; k < iterates_; ++k) views_.push_back({slot(k).x.data(), slot(k).gradient.data()});

  const std::size_t pairs = iterates_ - 1;
  const std::span<const double> sums =
      sums_(kNewestSums + pairs * kPairSums,
            [this](VectorRange range, double* out) { add_newest_products(views_, l1_, range, out); });
  x_norm_ = std::sqrt(sums[kXSquare]);
  gradient_norm_ = std::sqrt(sums[kGradientSquare]);
  if (pairs == 0) return;
  const std::size_t newest = pairs - 1;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::span<const double> with_pair = sums.subspan(kNewestSums + pair * kPairSums, kPairSums);
    y_with_s_[product_index(newest, pair)] = with_pair[kNewestYWithS];
    y_with_y_[product_index(newest, pair)] = with_pair[kNewestYWithY];
    gradient_with_s_[pair] = with_pair[kGradientWithS];
    gradient_with_y_[pair] = with_pair[kGradientWithY];
  }
  const double lengths = std::sqrt(sums[kStepSquare] * y_with_y(newest, newest));
  is_usable_[slot_number(iterates_ - 1)] = y_with_s(newest, newest) > kLeastCosine * lengths;
}

bool LbfgsHistory::has_usable_pair() const {
  for (std::size_t pair = 0; pair + 1 < iterates_; ++pair) {
    if (is_usable(pair)) return true;
  }
  return false;
}

const DirectionWeights& LbfgsHistory::steepest_weights() {
  weights_.gradient = -1.0;
  weights_.pairs.clear();
  return weights_;
}

// Nocedal's two loops. The vector that they work on is, after the first, gradient - sum of alpha_j y_j; after
// the second, that times the scale + sum of (alpha_j - beta_j) s_j, and minus this is the direction.
const DirectionWeights& LbfgsHistory::quasi_newton_weights() {
  const std::size_t pairs = iterates_ - 1;
  weights_.pairs.assign(pairs, {});
  double scale = 0.0;
  for (std::size_t i = pairs; i-- > 0;) {
    if (!is_usable(i)) continue;
    if (scale == 0.0) scale = y_with_s(i, i) / y_with_y(i, i);
    double s_with_vector = gradient_with_s_[i];
    for (std::size_t j = i + 1; j < pairs; ++j) s_with_vector -= weights_.pairs[j].y * y_with_s(j, i);
    weights_.pairs[i].y = s_with_vector / y_with_s(i, i);
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    if (!is_usable(i)) continue;
    double y_with_vector = gradient_with_y_[i];
    for (std::size_t j = 0; j < pairs; ++j) y_with_vector -= weights_.pairs[j].y * y_with_y(i, j);
    y_with_vector *= scale;
    for (std::size_t j = 0; j < i; ++j) y_with_vector += weights_.pairs[j].s * y_with_s(i, j);
    weights_.pairs[i].s = weights_.pairs[i].y - y_with_vector / y_with_s(i, i);
  }
  weights_.gradient = -scale;
  for (DirectionWeights::Pair& pair : weights_.pairs) {
    pair.s = -pair.s;
    pair.y *= scale;
  }
  return weights_;
}

LbfgsHistory::Trial LbfgsHistory::aim(const DirectionWeights& weights, double step) {
  float* const trial_x = slot(iterates_).x.data();
  return trial_from(sums_(kTrialSums, [&](VectorRange range, double* out) {
    write_direction(views_, l1_, weights, step, range, direction_.data(), trial_x, out);
  }));
}

LbfgsHistory::Trial LbfgsHistory::move_trial(double step) {
  float* const trial_x = slot(iterates_).x.data();
  return trial_from(sums_(kTrialSums, [&](VectorRange range, double* out) {
    write_trial(views_.back(), l1_, direction_.data(), step, range, trial_x, out);
  }));
}

double LbfgsHistory::slope_at_trial() {
  const float* const gradient = slot(iterates_).gradient.data();
  return sums_(
      1, [&](VectorRange range, double* out) { add_product(gradient, direction_.data(), range, out); })[0];
}

LbfgsHistory::Trial LbfgsHistory::trial_from(std::span<const double> sums) const {
  return {sums[kSlope], std::sqrt(sums[kDistanceSquare]), sums[kPredictedChange], l1_ * sums[kAbsoluteX]};
}

}  // namespace copse
