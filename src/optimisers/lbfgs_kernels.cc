#include "optimisers/lbfgs_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimisers/lbfgs_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kVectorPadding>;
using Floats = hn::Rebind<float, Doubles>;
using DoubleVector = hn::Vec<Doubles>;
constexpr std::size_t kLanes = hn::MaxLanes(Doubles());
constexpr std::size_t kParts = kVectorPadding / kLanes;

// A few vectors of doubles that the first level of the cache holds.
constexpr std::size_t kTile = 1024;

// Eight neighbouring numbers, in as many vectors as the target needs. Every target thus adds up in the same
// order; those that can multiply and add in one operation all give the same bits.
struct Eight {
  DoubleVector part[kParts];
};

HWY_INLINE Eight zeros() {
  Eight result;
  for (DoubleVector& part : result.part) part = hn::Zero(Doubles());
  return result;
}
HWY_INLINE Eight load(const float* from) {
  Eight result;
  for (std::size_t p = 0; p < kParts; ++p) {
    result.part[p] = hn::PromoteTo(Doubles(), hn::LoadU(Floats(), from + p * kLanes));
  }
  return result;
}
HWY_INLINE Eight load(const double* from) {
  Eight result;
  for (std::size_t p = 0; p < kParts; ++p) result.part[p] = hn::LoadU(Doubles(), from + p * kLanes);
  return result;
}
// Rounded to floats, as if the difference had been stored.
HWY_INLINE Eight load_difference(const float* to, const float* from) {
  Eight result;
  for (std::size_t p = 0; p < kParts; ++p) {
    result.part[p] = hn::PromoteTo(
        Doubles(), hn::Sub(hn::LoadU(Floats(), to + p * kLanes), hn::LoadU(Floats(), from + p * kLanes)));
  }
  return result;
}
HWY_INLINE void store(const Eight& numbers, double* to) {
  for (std::size_t p = 0; p < kParts; ++p) hn::StoreU(numbers.part[p], Doubles(), to + p * kLanes);
}
HWY_INLINE Eight round_and_store(const Eight& numbers, float* to) {
  Eight rounded;
  for (std::size_t p = 0; p < kParts; ++p) {
    const auto floats = hn::DemoteTo(Floats(), numbers.part[p]);
    hn::StoreU(floats, Floats(), to + p * kLanes);
    rounded.part[p] = hn::PromoteTo(Doubles(), floats);
  }
  return rounded;
}
HWY_INLINE void accumulate(const Eight& a, const Eight& b, Eight& sum) {
  for (std::size_t p = 0; p < kParts; ++p) sum.part[p] = hn::MulAdd(a.part[p], b.part[p], sum.part[p]);
}
HWY_INLINE void accumulate(double weight, const Eight& a, Eight& sum) {
  const DoubleVector factor = hn::Set(Doubles(), weight);
  for (std::size_t p = 0; p < kParts; ++p) sum.part[p] = hn::MulAdd(factor, a.part[p], sum.part[p]);
}
HWY_INLINE double total(const Eight& numbers) {
  double lanes[kVectorPadding];
  store(numbers, lanes);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// The gradient of the function with its penalty; where that has a kink (x = 0), the derivative on the side
// that descends, or 0 if neither does.
template <bool kPenalised>
HWY_INLINE Eight gradient_at(const IterateView& iterate, double l1, std::size_t i) {
  Eight gradient = load(iterate.gradient + i);
  if constexpr (kPenalised) {
    const Doubles d;
    const Eight x = load(iterate.x + i);
    const DoubleVector weight = hn::Set(d, l1);
    const DoubleVector zero = hn::Zero(d);
    for (std::size_t p = 0; p < kParts; ++p) {
      const DoubleVector g = gradient.part[p];
      const DoubleVector at_kink = hn::Sub(g, hn::Max(hn::Min(g, weight), hn::Neg(weight)));
      const DoubleVector beside = hn::Add(g, hn::CopySign(weight, x.part[p]));
      gradient.part[p] = hn::IfThenElse(hn::Eq(x.part[p], zero), at_kink, beside);
    }
  }
  return gradient;
}

template <bool kPenalised>
void newest_products(std::span<const IterateView> iterates, double l1, VectorRange range, double* sums) {
  const IterateView newest = iterates.back();
  const IterateView before = iterates.size() > 1 ? iterates[iterates.size() - 2] : newest;
  double newest_y[kTile];
  double gradient[kTile];
  for (std::size_t tile = range.begin; tile < range.end; tile += kTile) {
    const std::size_t size = std::min(kTile, range.end - tile);
    Eight step_square = zeros();
    Eight x_square = zeros();
    Eight gradient_square = zeros();
    for (std::size_t k = 0; k < size; k += kVectorPadding) {
      const std::size_t i = tile + k;
      const Eight g = gradient_at<kPenalised>(newest, l1, i);
      const Eight x = load(newest.x + i);
      const Eight s = load_difference(newest.x + i, before.x + i);
      store(load_difference(newest.gradient + i, before.gradient + i), newest_y + k);
      store(g, gradient + k);
      accumulate(s, s, step_square);
      accumulate(x, x, x_square);
      accumulate(g, g, gradient_square);
    }
    sums[kStepSquare] += total(step_square);
    sums[kXSquare] += total(x_square);
    sums[kGradientSquare] += total(gradient_square);

    double* pair_sums = sums + kNewestSums;
    for (std::size_t pair = 0; pair + 1 < iterates.size(); ++pair, pair_sums += kPairSums) {
      const IterateView from = iterates[pair];
      const IterateView to = iterates[pair + 1];
      Eight newest_y_with_s = zeros();
      Eight newest_y_with_y = zeros();
      Eight gradient_with_s = zeros();
      Eight gradient_with_y = zeros();
      for (std::size_t k = 0; k < size; k += kVectorPadding) {
        const Eight s = load_difference(to.x + tile + k, from.x + tile + k);
        const Eight y = load_difference(to.gradient + tile + k, from.gradient + tile + k);
        const Eight other_y = load(newest_y + k);
        const Eight g = load(gradient + k);
        accumulate(other_y, s, newest_y_with_s);
        accumulate(other_y, y, newest_y_with_y);
        accumulate(g, s, gradient_with_s);
        accumulate(g, y, gradient_with_y);
      }
      pair_sums[kNewestYWithS] += total(newest_y_with_s);
      pair_sums[kNewestYWithY] += total(newest_y_with_y);
      pair_sums[kGradientWithS] += total(gradient_with_s);
      pair_sums[kGradientWithY] += total(gradient_with_y);
    }
  }
}

struct TrialTotals {
  Eight distance_square;
  Eight predicted_change;
  Eight absolute_x;
  Eight slope;

  // Written out because the compiler's own constructor would not be compiled for the target.
  HWY_INLINE TrialTotals()
      : distance_square(zeros()), predicted_change(zeros()), absolute_x(zeros()), slope(zeros()) {}
  HWY_INLINE void add_to(double* sums) const {
    sums[kDistanceSquare] += total(distance_square);
    sums[kPredictedChange] += total(predicted_change);
    sums[kAbsoluteX] += total(absolute_x);
    sums[kSlope] += total(slope);
  }
};

template <bool kPenalised>
HWY_INLINE void trial_at(const float* x, const Eight& gradient, const Eight& direction, double step,
                         float* trial_x, TrialTotals& totals) {
  const Doubles d;
  const Eight from = load(x);
  Eight to = from;
  accumulate(step, direction, to);
  if constexpr (kPenalised) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const DoubleVector zero = hn::Zero(d);
      const DoubleVector orthant =
          hn::IfThenElse(hn::Eq(from.part[p], zero), hn::Neg(gradient.part[p]), from.part[p]);
      to.part[p] = hn::IfThenElseZero(hn::Gt(hn::Mul(to.part[p], orthant), zero), to.part[p]);
    }
  }
  to = round_and_store(to, trial_x);
  for (std::size_t p = 0; p < kParts; ++p) {
    const DoubleVector moved = hn::Sub(to.part[p], from.part[p]);
    totals.distance_square.part[p] = hn::MulAdd(moved, moved, totals.distance_square.part[p]);
    totals.predicted_change.part[p] = hn::MulAdd(gradient.part[p], moved, totals.predicted_change.part[p]);
    totals.absolute_x.part[p] = hn::Add(hn::Abs(to.part[p]), totals.absolute_x.part[p]);
  }
  accumulate(gradient, direction, totals.slope);
}

template <bool kPenalised>
void direction_and_trial(std::span<const IterateView> iterates, double l1, const DirectionWeights& weights,
                         double step, VectorRange range, float* direction, float* trial_x, double* sums) {
  const IterateView newest = iterates.back();
  TrialTotals totals;
  for (std::size_t i = range.begin; i < range.end; i += kVectorPadding) {
    const Eight gradient = gradient_at<kPenalised>(newest, l1, i);
    Eight sum = zeros();
    accumulate(weights.gradient, gradient, sum);
    for (std::size_t pair = 0; pair < weights.pairs.size(); ++pair) {
      const IterateView& from = iterates[pair];
      const IterateView& to = iterates[pair + 1];
      accumulate(weights.pairs[pair].s, load_difference(to.x + i, from.x + i), sum);
      accumulate(weights.pairs[pair].y, load_difference(to.gradient + i, from.gradient + i), sum);
    }
    if constexpr (kPenalised) {
      for (std::size_t p = 0; p < kParts; ++p) {
        const auto descends = hn::Lt(hn::Mul(sum.part[p], gradient.part[p]), hn::Zero(Doubles()));
        sum.part[p] = hn::IfThenElseZero(descends, sum.part[p]);
      }
    }
    sum = round_and_store(sum, direction + i);
    trial_at<kPenalised>(newest.x + i, gradient, sum, step, trial_x + i, totals);
  }
  totals.add_to(sums);
}

template <bool kPenalised>
void trial(const IterateView& newest, double l1, const float* direction, double step, VectorRange range,
           float* trial_x, double* sums) {
  TrialTotals totals;
  for (std::size_t i = range.begin; i < range.end; i += kVectorPadding) {
    trial_at<kPenalised>(newest.x + i, gradient_at<kPenalised>(newest, l1, i), load(direction + i), step,
                         trial_x + i, totals);
  }
  totals.add_to(sums);
}

void newest_products_for(std::span<const IterateView> iterates, double l1, VectorRange range, double* sums) {
  (l1 > 0 ? newest_products<true> : newest_products<false>)(iterates, l1, range, sums);
}
void direction_for(std::span<const IterateView> iterates, double l1, const DirectionWeights& weights,
                   double step, VectorRange range, float* direction, float* trial_x, double* sums) {
  (l1 > 0 ? direction_and_trial<true> : direction_and_trial<false>)(iterates, l1, weights, step, range,
                                                                    direction, trial_x, sums);
}
void trial_for(const IterateView& newest, double l1, const float* direction, double step, VectorRange range,
               float* trial_x, double* sums) {
  (l1 > 0 ? trial<true> : trial<false>)(newest, l1, direction, step, range, trial_x, sums);
}

void product(const float* a, const float* b, VectorRange range, double* sum) {
  Eight products = zeros();
  for (std::size_t i = range.begin; i < range.end; i += kVectorPadding)
    accumulate(load(a + i), load(b + i), products);
  *sum += total(products);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(newest_products_for);
HWY_EXPORT(direction_for);
HWY_EXPORT(trial_for);
HWY_EXPORT(product);

void add_newest_products(std::span<const IterateView> iterates, double l1, VectorRange range, double* sums) {
  HWY_DYNAMIC_DISPATCH(newest_products_for)(iterates, l1, range, sums);
}
void write_direction(std::span<const IterateView> iterates, double l1, const DirectionWeights& weights,
                     double step, VectorRange range, float* direction, float* trial_x, double* sums) {
  HWY_DYNAMIC_DISPATCH(direction_for)
  (iterates, l1, weights, step, range, direction, trial_x, sums);
}
void write_trial(const IterateView& newest, double l1, const float* direction, double step, VectorRange range,
                 float* trial_x, double* sums) {
  HWY_DYNAMIC_DISPATCH(trial_for)(newest, l1, direction, step, range, trial_x, sums);
}
void add_product(const float* a, const float* b, VectorRange range, double* sum) {
  HWY_DYNAMIC_DISPATCH(product)(a, b, range, sum);
}

}  // namespace copse
#endif
