#include <algorithm>
#include <limits>

#include "inference/transfer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/transfer_span.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h:
#include "inference/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

using Pack = hn::CappedTag<double, kPack>;
using V = hn::Vec<Pack>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Calls f(arc, first arc of its head and side, offset of its first weight, distance between slots), by width:
// so the rows that are written next to each other stay in the cache.
template <class F>
HWY_INLINE void for_each_arc(const SpanLayout& layout, F&& f) {
  const ArcSet& arcs = layout.parts().arcs();
  const int words = layout.words();
  if (arcs.is_full()) {
    for (int width = 1; width <= words; ++width) {
      const std::ptrdiff_t stride = layout.weight_stride(width);
      for (int head = 0; head + width <= words; ++head) {
        const int first = arcs.outgoing(head, Side::right).first;
        f(first + width - 1, first, layout.weight(Side::right, head, width, 0), stride);
      }
      for (int head = width + 1; head <= words; ++head) {
        const int first = arcs.outgoing(head, Side::left).first;
        f(first + width - 1, first, layout.weight(Side::left, head, width, 0), stride);
      }
    }
    return;
  }
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto [head, modifier] = arcs[arc];
    const Side side = ArcSet::side(arcs[arc]);
    const int width = side == Side::left ? head - modifier : modifier - head;
    f(arc, arcs.outgoing(head, side).first, layout.weight(side, head, width, 0), layout.weight_stride(width));
  }
}
// How far from the head the modifier in a slot is. With all arcs that is the slot itself.
HWY_INLINE int distance_in_slot(const ArcSet& arcs, bool full, int first, int slot) {
  if (full || slot == 0) return slot;
  const Arc& arc = arcs[first + slot - 1];
  return arc.modifier < arc.head ? arc.head - arc.modifier : arc.modifier - arc.head;
}

// What no part writes when all arcs are there: the lanes beyond the last span, and left arcs to the root.
void clear_padding(const SpanLayout& layout, double* weights) {
  const Pack d;
  const V lowest = hn::Set(d, -kInfinity);
  for (int width = 1; width <= layout.words(); ++width) {
    const std::ptrdiff_t stride = layout.weight_stride(width);
    double* right = weights + layout.weight(Side::right, 0, width, 0);
    double* left = weights + layout.weight(Side::left, width, width, 0);
    for (int slot = 0; slot < layout.slots(width); ++slot, right += stride, left += stride) {
      // The last pack: parts are placed over it afterwards.
      for (std::ptrdiff_t lane = stride - kPack; lane < stride; lane += hn::Lanes(d)) {
        hn::Store(lowest, d, right + lane);
        hn::Store(lowest, d, left + lane);
      }
      left[0] = -kInfinity;
    }
  }
}

void scale_in_place(const SpanLayout& layout, const double* highest, double* weights) {
  const Pack d;
  const std::ptrdiff_t step = hn::Lanes(d);
  for (const Side side : {Side::right, Side::left}) {
    for (int width = 1; width <= layout.words(); ++width) {
      const std::ptrdiff_t stride = layout.weight_stride(width);
      double* row = weights + layout.weight(side, side == Side::right ? 0 : width, width, 0);
      // The modifier of the span that begins at a lane.
      const double* high = highest + (side == Side::right ? width : 0);
      const int slots = layout.slots(width);
      for (std::ptrdiff_t lane = 0; lane < stride; lane += step) {
        const V shift = hn::LoadU(d, high + lane);
        double* at = row + lane;
        for (int slot = 0; slot < slots; ++slot, at += stride) {
          hn::Store(bounded_exp(d, hn::Sub(hn::Load(d, at), shift)), d, at);
        }
      }
    }
  }
}

void place_span_weights(const SpanLayout& layout, const WeightSource& source, const double* highest,
                        double* weights) {
  const PartIndex& parts = source.parts;
  const ArcSet& arcs = parts.arcs();
  const bool full = arcs.is_full();
  if (full) {
    clear_padding(layout, weights);
  } else {
    std::fill_n(weights, layout.weight_count(), -kInfinity);
  }
  if (has_siblings(parts.factorization())) {
    for_each_arc(layout, [&](int arc, int first, std::ptrdiff_t offset, std::ptrdiff_t stride) HWY_ATTR {
      const double base = source.arc_potential(arc);
      const double* sibling = source.potentials.of_arc(parts, PartKind::sibling, arc);
      const int slots = arc - first + 1;
      const int usable = source.usable_slots(arc);
      if (full && usable == slots) {
        double* to = weights + offset;
        for (int slot = 0; slot < slots; ++slot, to += stride) *to = base + sibling[slot];
        return;
      }
      for (int slot = 0; slot < slots; ++slot) {
        weights[offset + distance_in_slot(arcs, full, first, slot) * stride] =
            slot < usable ? base + sibling[slot] : -kInfinity;
      }
    });
  } else {
    for_each_arc(layout, [&](int arc, int /*first*/, std::ptrdiff_t offset, std::ptrdiff_t /*stride*/)
                             HWY_ATTR { weights[offset] = source.arc_potential(arc); });
  }
  if (highest != nullptr) scale_in_place(layout, highest, weights);
}

void store_span_marginals(const SpanLayout& layout, const double* part_marginals, Marginals& marginals) {
  const PartIndex& parts = layout.parts();
  const ArcSet& arcs = parts.arcs();
  const bool full = arcs.is_full();
  const bool siblings = has_siblings(parts.factorization());
  for_each_arc(layout, [&](int arc, int first, std::ptrdiff_t offset, std::ptrdiff_t stride) HWY_ATTR {
    double sum = 0.0;
    if (siblings) {
      double* sibling = marginals.of_arc(parts, PartKind::sibling, arc);
      const int slots = arc - first + 1;
      const double* from = part_marginals + offset;
      for (int slot = 0; slot < slots; ++slot, from += stride) {
        const double x =
            full ? *from : part_marginals[offset + distance_in_slot(arcs, full, first, slot) * stride];
        sibling[slot] = x < 1.0 ? x : 1.0;
        sum += sibling[slot];
      }
    } else {
      sum = part_marginals[offset];
    }
    marginals.arc[arc] = sum < 1.0 ? sum : 1.0;
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(place_span_weights);
HWY_EXPORT(store_span_marginals);

void place_weights(const SpanLayout& layout, const WeightSource& source, const double* highest,
                   double* weights) {
  HWY_DYNAMIC_DISPATCH(place_span_weights)(layout, source, highest, weights);
}
void store_marginals(const SpanLayout& layout, const double* part_marginals, Marginals& marginals) {
  HWY_DYNAMIC_DISPATCH(store_span_marginals)(layout, part_marginals, marginals);
}

}  // namespace copse
#endif
