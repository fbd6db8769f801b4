#include <algorithm>
#include <limits>

#include "inference/transfer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/transfer_context.cc"
#include "inference/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h:
#include "inference/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

using Pack = hn::CappedTag<double, kPack>;
using V = hn::Vec<Pack>;
using M = hn::Mask<Pack>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One vector of an arc's lanes. Numbers of parts are stored for the valid lanes only, so that the first and
// the last vector of a row reach into the neighbouring rows.
class VectorOfLanes {
 public:
  VectorOfLanes(std::ptrdiff_t lane, const GrandparentLanes& lanes)
      : at_(lane - lanes.first), count_(lanes.valid()) {
    const Pack d;
    const V index = hn::Iota(d, static_cast<double>(at_));
    valid_ = hn::And(hn::Ge(index, hn::Zero(d)), hn::Lt(index, hn::Set(d, count_)));
    all_valid_ = at_ >= 0 && at_ + static_cast<std::ptrdiff_t>(hn::Lanes(d)) <= count_;
  }
  M valid() const { return valid_; }

  // `room`: a vector before and after the row may be touched. What stands in lanes that are not valid is
  // undefined.
  HWY_INLINE V load(const double* row, bool room) const {
    const Pack d;
    if (all_valid_ || room) return hn::LoadU(d, row + at_);
    HWY_ALIGN double lanes[kPack] = {};
    for_each_valid([&](std::ptrdiff_t i) HWY_ATTR { lanes[i] = row[at_ + i]; });
    return hn::Load(d, lanes);
  }
  HWY_INLINE void store(V x, double* row, bool room) const {
    const Pack d;
    if (all_valid_) {
      hn::StoreU(x, d, row + at_);
    } else if (room) {
      hn::BlendedStore(x, valid_, d, row + at_);
    } else {
      HWY_ALIGN double lanes[kPack];
      hn::Store(x, d, lanes);
      for_each_valid([&](std::ptrdiff_t i) HWY_ATTR { row[at_ + i] = lanes[i]; });
    }
  }

 private:
  template <class F>
  HWY_INLINE void for_each_valid(F&& f) const {
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(hn::Lanes(Pack())); ++i) {
      if (at_ + i >= 0 && at_ + i < count_) f(i);
    }
  }

  std::ptrdiff_t at_;  // position of the vector's first lane in a row; may be negative
  int count_;
  M valid_;
  bool all_valid_;
};

// Calls f(vector of lanes, its offset in a weight row) for the vectors that a weight row consists of.
template <class Layout, class F>
HWY_INLINE void for_each_vector(const Layout& layout, int arc, const GrandparentLanes& lanes, F&& f) {
  const LaneRange range = layout.lanes_of_arc(arc);
  const std::ptrdiff_t step = hn::Lanes(Pack());
  for (std::ptrdiff_t lane = range.first; lane < range.last; lane += step) {
    f(VectorOfLanes(lane, lanes), lane - range.first);
  }
}

// Whether the numbers of the arc's parts lie far enough inside their array.
bool has_room(PartIndex::Position begin, PartIndex::Position end, PartIndex::Position count) {
  return begin >= kPack && end + kPack <= count;
}

template <bool kGrandparents>
void place_context_weights(const ContextLayout<kGrandparents>& layout, const WeightSource& source,
                           const double* highest, double* weights) {
  const Pack d;
  const PartIndex& parts = source.parts;
  const ArcSet& arcs = parts.arcs();
  const bool siblings = has_siblings(parts.factorization());
  const V lowest = hn::Set(d, -kInfinity);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const GrandparentLanes lanes = layout.grandparents(arc);
    const double base = source.arc_potential(arc) - (highest != nullptr ? highest[arcs[arc].modifier] : 0.0);
    const int slots = parts.slots(arc);
    const int usable = source.usable_slots(arc);
    const double* sibling = siblings ? source.potentials.sibling.data() + parts.sibling_begin(arc) : nullptr;
    for_each_vector(layout, arc, lanes, [&](const VectorOfLanes& vector, std::ptrdiff_t offset) HWY_ATTR {
      V start = hn::Set(d, base);
      const double* part = nullptr;
      bool room = false;
      if constexpr (kGrandparents) {
        start =
            hn::Add(start, vector.load(source.potentials.grandchild.data() + parts.grandchild_begin(arc),
                                       has_room(parts.grandchild_begin(arc), parts.grandchild_begin(arc + 1),
                                                parts.grandchild_count())));
        if (siblings) {
          part = source.potentials.grandsibling.data() + parts.grandsibling_begin(arc);
          room = has_room(parts.grandsibling_begin(arc), parts.grandsibling_begin(arc + 1),
                          parts.grandsibling_count());
        }
      }
      const M valid = vector.valid();
      start = hn::IfThenElse(valid, start, lowest);
      double* to = weights + layout.weight_begin(arc) + offset;
      for (int slot = 0; slot < slots; ++slot, to += layout.weight_row(arc)) {
        V x = start;
        if (siblings) x = slot < usable ? hn::Add(x, hn::Set(d, sibling[slot])) : lowest;
        if constexpr (kGrandparents) {
          if (siblings) {
            x = hn::Add(x, vector.load(part, room));
            part += lanes.valid();
          }
        }
        hn::Store(highest != nullptr ? exp_of_nonpositive(d, x) : x, d, to);
      }
    });
  }
}

template <bool kGrandparents>
void store_context_marginals(const ContextLayout<kGrandparents>& layout, const double* part_marginals,
                             Marginals& marginals) {
  const Pack d;
  const PartIndex& parts = layout.parts();
  const ArcSet& arcs = parts.arcs();
  const bool siblings = has_siblings(parts.factorization());
  const V one = hn::Set(d, 1.0);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const GrandparentLanes lanes = layout.grandparents(arc);
    const double* weights = part_marginals + layout.weight_begin(arc);
    const std::ptrdiff_t row = layout.weight_row(arc);
    const int slots = parts.slots(arc);
    double total = 0.0;
    if (siblings) {
      double* sibling = marginals.sibling.data() + parts.sibling_begin(arc);
      for (int slot = 0; slot < slots; ++slot) {
        V sum = hn::Zero(d);
        for (std::ptrdiff_t i = 0; i < row; i += hn::Lanes(d)) {
          sum = hn::Add(sum, hn::Load(d, weights + slot * row + i));
        }
        sibling[slot] = std::min(hn::GetLane(hn::SumOfLanes(d, sum)), 1.0);
        total += sibling[slot];
      }
    } else {
      for (std::ptrdiff_t i = 0; i < row; ++i) total += weights[i];
    }
    marginals.arc[arc] = std::min(total, 1.0);
    if constexpr (kGrandparents) {
      double* grandchild = marginals.grandchild.data() + parts.grandchild_begin(arc);
      const bool grandchild_room =
          has_room(parts.grandchild_begin(arc), parts.grandchild_begin(arc + 1), parts.grandchild_count());
      const bool part_room =
          siblings && has_room(parts.grandsibling_begin(arc), parts.grandsibling_begin(arc + 1),
                               parts.grandsibling_count());
      for_each_vector(layout, arc, lanes, [&](const VectorOfLanes& vector, std::ptrdiff_t offset) HWY_ATTR {
        double* part = siblings ? marginals.grandsibling.data() + parts.grandsibling_begin(arc) : nullptr;
        const double* from = weights + offset;
        V sum = hn::Zero(d);
        for (int slot = 0; slot < slots; ++slot, from += row) {
          const V x = hn::Min(hn::Load(d, from), one);
          sum = hn::Add(sum, x);
          if (!siblings) continue;
          vector.store(x, part, part_room);
          part += lanes.valid();
        }
        vector.store(hn::Min(sum, one), grandchild, grandchild_room);
      });
    }
  }
}

// Dynamic dispatch wants plain functions.
void place_plain_weights(const ContextLayout<false>& layout, const WeightSource& source,
                         const double* highest, double* weights) {
  place_context_weights(layout, source, highest, weights);
}
void place_grand_weights(const ContextLayout<true>& layout, const WeightSource& source, const double* highest,
                         double* weights) {
  place_context_weights(layout, source, highest, weights);
}
void store_plain_marginals(const ContextLayout<false>& layout, const double* part_marginals,
                           Marginals& marginals) {
  store_context_marginals(layout, part_marginals, marginals);
}
void store_grand_marginals(const ContextLayout<true>& layout, const double* part_marginals,
                           Marginals& marginals) {
  store_context_marginals(layout, part_marginals, marginals);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(place_plain_weights);
HWY_EXPORT(place_grand_weights);
HWY_EXPORT(store_plain_marginals);
HWY_EXPORT(store_grand_marginals);

void place_weights(const ContextLayout<false>& layout, const WeightSource& source, const double* highest,
                   double* weights) {
  HWY_DYNAMIC_DISPATCH(place_plain_weights)(layout, source, highest, weights);
}
void place_weights(const ContextLayout<true>& layout, const WeightSource& source, const double* highest,
                   double* weights) {
  HWY_DYNAMIC_DISPATCH(place_grand_weights)(layout, source, highest, weights);
}
void store_marginals(const ContextLayout<false>& layout, const double* part_marginals, Marginals& marginals) {
  HWY_DYNAMIC_DISPATCH(store_plain_marginals)(layout, part_marginals, marginals);
}
void store_marginals(const ContextLayout<true>& layout, const double* part_marginals, Marginals& marginals) {
  HWY_DYNAMIC_DISPATCH(store_grand_marginals)(layout, part_marginals, marginals);
}

}  // namespace copse
#endif
