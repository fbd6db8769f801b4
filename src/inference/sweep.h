// The executors that visit every item: sums and maxima from small spans to large ones, and the adjoint of the
// sums from large to small. Written once over layouts and recursions in *sweep-inl.h, compiled for each SIMD
// target, and chosen at run time.
#pragma once

#include <cstddef>
#include <limits>

#include "copse/inference/part_index.h"
#include "inference/context_layout.h"
#include "inference/span_layout.h"
#include "inference/transfer.h"

namespace copse {

enum class Semiring {
  linear,   // sums of products of scaled weights
  log,      // the same in the log domain
  maximum,  // maxima of sums of potentials
};

constexpr double zero_of(Semiring semiring) {
  return semiring == Semiring::linear ? 0.0 : -std::numeric_limits<double>::infinity();
}
constexpr double one_of(Semiring semiring) { return semiring == Semiring::linear ? 1.0 : 0.0; }

struct Chart {
  // Weights of the highest-order parts; outermost parts are items instead. In the adjoint sweep, a part's
  // probability takes the place of its weight, which is used for the last time there. Spans: placed
  // beforehand. Contexts: the sweeps fill them arc by arc from the source; there is room for all, or (not
  // kept) for the largest arc alone, and then they are computed again when they are needed again. Where all
  // items have parents, there is always room for one arc alone, and weights are kept where the marginals go.
  double* weights;
  double* values;
  // Adjoint sweep only. Linear: derivatives of log Z by the items' values. Log: probabilities of the items.
  double* adjoints = nullptr;
  // Sums and maxima: wider spans are left out.
  int widest = std::numeric_limits<int>::max();
  // The values are those of the same sweep with other weights, another width, or other spans.
  bool is_filled = false;
  // Linear sums: added to every item, see TreeDistribution::Impl::try_balanced_sum().
  double floor = 0.0;
  // Linear adjoint sweep with contexts: items that are no more probable than this hand nothing down, and
  // marginals of arcs whose spans are not are left as they are.
  double negligible = 0.0;

  // Contexts only.
  const WeightSource* source = nullptr;
  const double* highest = nullptr;  // null: weights stay in the log domain
  bool weights_kept = false;
  Marginals* marginals = nullptr;  // filled arc by arc by the adjoint sweep
};

// By layout. The factorization is that of the layout's parts.
void inside(const SpanLayout& layout, Semiring semiring, const Chart& chart);
void inside(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart);
void inside(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart);
void inside(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
            const Chart& chart);
void inside(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
            const Chart& chart);

// After inside() with the same semiring, which must not be `maximum`. The caller has zeroed the adjoints and
// set that of the goal item.
void outside(const SpanLayout& layout, Semiring semiring, const Chart& chart);
void outside(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart);
void outside(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart);
void outside(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
             const Chart& chart);
void outside(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
             const Chart& chart);

}  // namespace copse
