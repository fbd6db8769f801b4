// Vectors of lanes, sums of terms over them and the adjoints of such sums. Compiled once per SIMD target, see
// recursion-inl.h.
#if defined(COPSE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_LANES_INL_H_
#undef COPSE_LANES_INL_H_
#else
#define COPSE_LANES_INL_H_
#endif

#include <hwy/highway.h>
// After highway.h:
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "inference/recursion-inl.h"
#include "inference/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct WeightRow {
  double* begin;
};
// The parts of an arc and a slot where the sums are rows: weights in whole packs, and the place of their
// marginals, among which there are none for lanes that are not valid.
struct PartRow {
  const double* weights;
  double* marginals;
};
template <class T>
concept Weight = std::is_same_v<T, WeightRow> || std::is_same_v<T, PartRow>;

// `kVectors` neighbouring vectors of lanes. Weight rows begin with the first lane that is used.
template <class D, int kVectors>
struct Lanes {
  static constexpr int kCount = kVectors;
  using V = hn::Vec<D>;
  D d;
  Chart chart;
  std::ptrdiff_t lane;
  std::ptrdiff_t first_used;

  COPSE_INLINE std::ptrdiff_t at(int vector) const {
    return lane + vector * static_cast<std::ptrdiff_t>(hn::Lanes(d));
  }
  COPSE_INLINE V load(RowOperand row, int vector) const {
    return hn::LoadU(d, chart.values + row.offset + at(vector));
  }
  COPSE_INLINE V load(CellOperand cell, int /*vector*/) const {
    return hn::Set(d, chart.values[cell.offset]);
  }
  COPSE_INLINE V load(WeightRow row, int vector) const {
    return hn::LoadU(d, row.begin - first_used + at(vector));
  }
  COPSE_INLINE void add(RowOperand row, const V (&x)[kVectors]) const {
    for (int v = 0; v < kVectors; ++v) {
      double* to = chart.adjoints + row.offset + at(v);
      hn::StoreU(hn::Add(hn::LoadU(d, to), x[v]), d, to);
    }
  }
  COPSE_INLINE void add(CellOperand cell, const V (&x)[kVectors]) const {
    V sum = x[0];
    for (int v = 1; v < kVectors; ++v) sum = hn::Add(sum, x[v]);
    chart.adjoints[cell.offset] += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  // A weight belongs to one term, so its marginal is stored, not added up.
  COPSE_INLINE void add(WeightRow row, const V (&x)[kVectors]) const {
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(x[v], d, row.begin - first_used + at(v));
    }
  }
  COPSE_INLINE hn::Mask<D> within(LaneRange range, int vector) const {
    return hn::AndNot(before(range.first, vector), before(range.last, vector));
  }
  COPSE_INLINE hn::Mask<D> before(std::ptrdiff_t end, int vector) const {
    const std::ptrdiff_t size = hn::Lanes(d);
    return hn::FirstN(d, static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(end - at(vector), 0, size)));
  }
};

// Lanes whose parts hand their marginals over at once: clipped to 1, and summed up for the lower order.
template <class LanesType>
struct PartLanes : LanesType {
  static constexpr int kVectors = LanesType::kCount;
  using V = typename LanesType::V;
  hn::Mask<decltype(LanesType::d)> valid[kVectors];
  mutable V sum[kVectors];

  COPSE_INLINE PartLanes(const LanesType& lanes, LaneRange range) : LanesType(lanes) {
    for (int v = 0; v < kVectors; ++v) {
      valid[v] = this->within(range, v);
      sum[v] = hn::Zero(this->d);
    }
  }
  using LanesType::add;
  using LanesType::load;
  COPSE_INLINE V load(PartRow row, int vector) const {
    return hn::LoadU(this->d, row.weights - this->first_used + this->at(vector));
  }
  COPSE_INLINE void add(PartRow row, const V (&x)[kVectors]) const {
    for (int v = 0; v < kVectors; ++v) {
      const V clipped = hn::Min(x[v], hn::Set(this->d, 1.0));
      sum[v] = hn::Add(sum[v], clipped);
      hn::BlendedStore(clipped, valid[v], this->d, row.marginals - this->first_used + this->at(v));
    }
  }
};

template <class D, class V = hn::Vec<D>>
COPSE_INLINE V minus_infinity_as_zero(D d, V x) {
  return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -std::numeric_limits<double>::infinity())), x);
}

COPSE_INLINE auto product_plus(auto a, auto sum) { return hn::Add(a, sum); }
COPSE_INLINE auto product_plus(auto a, auto b, auto sum) { return hn::MulAdd(a, b, sum); }
COPSE_INLINE auto product_plus(auto a, auto b, auto c, auto sum) { return hn::MulAdd(hn::Mul(a, b), c, sum); }
COPSE_INLINE auto sum_of(auto a) { return a; }
COPSE_INLINE auto sum_of(auto a, auto... rest) { return hn::Add(a, sum_of(rest...)); }

// sum[v] = Σ over terms of the product of their operands, in the semiring.
template <Semiring kSemiring, class LanesType, class EachTerm>
COPSE_INLINE void sum_terms(const LanesType& lanes, typename LanesType::V (&sum)[LanesType::kCount],
                            EachTerm&& each_term) {
  constexpr int kVectors = LanesType::kCount;
  using V = typename LanesType::V;
  const auto d = lanes.d;
  const auto lowest = hn::Set(d, -std::numeric_limits<double>::infinity());
  if constexpr (kSemiring == Semiring::linear) {
    for (auto& s : sum) s = hn::Set(d, lanes.chart.floor);
    each_term([&](auto... operands) COPSE_TERM {
      for (int v = 0; v < kVectors; ++v) sum[v] = product_plus(lanes.load(operands, v)..., sum[v]);
    });
  } else {
    for (auto& s : sum) s = lowest;
    each_term([&](auto... operands) COPSE_TERM {
      for (int v = 0; v < kVectors; ++v) sum[v] = hn::Max(sum[v], sum_of(lanes.load(operands, v)...));
    });
  }
  if constexpr (kSemiring == Semiring::log) {
    V shift[kVectors];
    V scaled[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      shift[v] = minus_infinity_as_zero(d, sum[v]);
      scaled[v] = hn::Zero(d);
    }
    each_term([&](auto... operands) COPSE_TERM {
      for (int v = 0; v < kVectors; ++v) {
        scaled[v] = hn::Add(scaled[v], hn::Exp(d, hn::Sub(sum_of(lanes.load(operands, v)...), shift[v])));
      }
    });
    for (int v = 0; v < kVectors; ++v) {
      const auto finite = hn::Gt(sum[v], lowest);
      const auto positive = hn::IfThenElse(finite, scaled[v], hn::Set(d, 1.0));
      sum[v] = hn::IfThenElse(finite, hn::Add(shift[v], hn::Log(d, positive)), lowest);
    }
  }
}

// Pushes the adjoint of a sum of products to its operands. Linear: `adjoint` is d log Z / d sum. Log: it is
// the probability of the item, and `value` the log of the sum that the terms share it by.
template <class LanesType>
struct PushTerm {
  static constexpr int kVectors = LanesType::kCount;
  using V = typename LanesType::V;
  const LanesType& lanes;
  const V (&adjoint)[kVectors];

  COPSE_INLINE void operator()(auto a) const { lanes.add(a, adjoint); }
  COPSE_INLINE void operator()(auto a, auto b) const {
    V to_a[kVectors];
    V to_b[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      to_a[v] = hn::Mul(adjoint[v], lanes.load(b, v));
      to_b[v] = hn::Mul(adjoint[v], lanes.load(a, v));
    }
    lanes.add(a, to_a);
    lanes.add(b, to_b);
  }
  COPSE_INLINE void operator()(auto a, Weight auto w) const {
    V to_a[kVectors];
    V to_w[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      to_a[v] = hn::Mul(adjoint[v], lanes.load(w, v));
      to_w[v] = hn::Mul(to_a[v], lanes.load(a, v));
    }
    lanes.add(a, to_a);
    lanes.add(w, to_w);
  }
  // Two numbers that all lanes share, and a row.
  COPSE_INLINE void operator()(CellOperand a, CellOperand b, RowOperand c) const {
    const double x = lanes.chart.values[a.offset];
    const double y = lanes.chart.values[b.offset];
    const V product = hn::Set(lanes.d, x * y);
    V to_c[kVectors];
    V sum = hn::Zero(lanes.d);
    for (int v = 0; v < kVectors; ++v) {
      to_c[v] = hn::Mul(adjoint[v], product);
      sum = hn::MulAdd(adjoint[v], lanes.load(c, v), sum);
    }
    lanes.add(c, to_c);
    const double to_product = hn::GetLane(hn::SumOfLanes(lanes.d, sum));
    lanes.chart.adjoints[a.offset] += to_product * y;
    lanes.chart.adjoints[b.offset] += to_product * x;
  }
  COPSE_INLINE void operator()(auto a, auto b, Weight auto w) const {
    V to_a[kVectors];
    V to_b[kVectors];
    V to_w[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      const V x = lanes.load(a, v);
      const V y = lanes.load(b, v);
      const V weighted = hn::Mul(adjoint[v], lanes.load(w, v));
      to_a[v] = hn::Mul(weighted, y);
      to_b[v] = hn::Mul(weighted, x);
      to_w[v] = hn::Mul(to_a[v], x);
    }
    lanes.add(a, to_a);
    lanes.add(b, to_b);
    lanes.add(w, to_w);
  }
};

template <class LanesType>
struct ShareTerm {
  static constexpr int kVectors = LanesType::kCount;
  using V = typename LanesType::V;
  const LanesType& lanes;
  const V (&adjoint)[kVectors];
  const V (&value)[kVectors];

  COPSE_INLINE void operator()(auto... operands) const {
    V share[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      const auto exponent =
          hn::Sub(sum_of(lanes.load(operands, v)...), minus_infinity_as_zero(lanes.d, value[v]));
      // An item without probability gives none away, whatever its terms are.
      share[v] = hn::IfThenElseZero(hn::Gt(adjoint[v], hn::Zero(lanes.d)),
                                    hn::Mul(adjoint[v], hn::Exp(lanes.d, exponent)));
    }
    (lanes.add(operands, share), ...);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
