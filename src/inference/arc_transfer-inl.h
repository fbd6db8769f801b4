// Weights of the parts of one arc from potentials, and marginals back. Compiled once per SIMD target, see
// recursion-inl.h.
#if defined(COPSE_ARC_TRANSFER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_ARC_TRANSFER_INL_H_
#undef COPSE_ARC_TRANSFER_INL_H_
#else
#define COPSE_ARC_TRANSFER_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "inference/exp-inl.h"
#include "inference/recursion-inl.h"
#include "inference/transfer.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using PackTag = hn::CappedTag<double, kPack>;
using LaneVector = hn::Vec<PackTag>;
using LaneMask = hn::Mask<PackTag>;

// One vector of an arc's lanes. Numbers of parts are stored for the valid lanes only, so that the first and
// the last vector of a row reach into the neighbouring rows.
class VectorOfLanes {
 public:
  VectorOfLanes(std::ptrdiff_t lane, const GrandparentLanes& lanes)
      : at_(lane - lanes.first), count_(lanes.valid()) {
    const PackTag d;
    const LaneVector index = hn::Iota(d, static_cast<double>(at_));
    valid_ = hn::And(hn::Ge(index, hn::Zero(d)), hn::Lt(index, hn::Set(d, count_)));
    all_valid_ = at_ >= 0 && at_ + static_cast<std::ptrdiff_t>(hn::Lanes(d)) <= count_;
  }
  LaneMask valid() const { return valid_; }

  // `room`: a vector before and after the row may be touched. What stands in lanes that are not valid is
  // undefined.
  COPSE_INLINE LaneVector load(const double* row, bool room) const {
    const PackTag d;
    if (all_valid_ || room) return hn::LoadU(d, row + at_);
    HWY_ALIGN double lanes[kPack] = {};
    for_each_valid([&](std::ptrdiff_t i) COPSE_TERM { lanes[i] = row[at_ + i]; });
    return hn::Load(d, lanes);
  }
  COPSE_INLINE void store(LaneVector x, double* row, bool room) const {
    const PackTag d;
    if (all_valid_) {
      hn::StoreU(x, d, row + at_);
    } else if (room) {
      hn::BlendedStore(x, valid_, d, row + at_);
    } else {
      HWY_ALIGN double lanes[kPack];
      hn::Store(x, d, lanes);
      for_each_valid([&](std::ptrdiff_t i) COPSE_TERM { row[at_ + i] = lanes[i]; });
    }
  }

 private:
  template <class F>
  COPSE_INLINE void for_each_valid(F&& f) const {
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(hn::Lanes(PackTag())); ++i) {
      if (at_ + i >= 0 && at_ + i < count_) f(i);
    }
  }

  std::ptrdiff_t at_;  // position of the vector's first lane in a row; may be negative
  int count_;
  LaneMask valid_;
  bool all_valid_;
};

// The parts that end in one arc of a ContextLayout: [slot][lane], whole packs of lanes.
template <bool kGrandparents>
class ArcTransfer {
 public:
  ArcTransfer(const ContextLayout<kGrandparents>& layout, int arc)
      : layout_(layout),
        parts_(layout.parts()),
        arc_(arc),
        siblings_(has_siblings(parts_.factorization())),
        lanes_(layout.grandparents(arc)) {
    if constexpr (kGrandparents) {
      grandchild_room_ =
          has_room(parts_.grandchild_begin(arc), parts_.grandchild_begin(arc + 1), parts_.grandchild_count());
      part_room_ = siblings_ && has_room(parts_.grandsibling_begin(arc), parts_.grandsibling_begin(arc + 1),
                                         parts_.grandsibling_count());
    }
  }

  // As they are (`highest` null), or as exp(weight - highest[m]).
  COPSE_INLINE void place(const WeightSource& source, const double* highest, double* weights) const {
    const PackTag d;
    const auto lowest = hn::Set(d, -std::numeric_limits<double>::infinity());
    const double base =
        source.arc_potential(arc_) - (highest != nullptr ? highest[parts_.arcs()[arc_].modifier] : 0.0);
    const int slots = parts_.slots(arc_);
    const int usable = source.usable_slots(arc_);
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    const double* sibling =
        siblings_ ? source.potentials.sibling.data() + parts_.sibling_begin(arc_) : nullptr;
    for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t offset) COPSE_TERM {
      LaneVector start = hn::Set(d, base);
      const double* part = nullptr;
      if constexpr (kGrandparents) {
        start =
            hn::Add(start, vector.load(source.potentials.grandchild.data() + parts_.grandchild_begin(arc_),
                                       grandchild_room_));
        if (siblings_) part = source.potentials.grandsibling.data() + parts_.grandsibling_begin(arc_);
      }
      start = hn::IfThenElse(vector.valid(), start, lowest);
      double* to = weights + offset;
      for (int slot = 0; slot < slots; ++slot, to += row) {
        LaneVector x = start;
        if (siblings_) x = slot < usable ? hn::Add(x, hn::Set(d, sibling[slot])) : lowest;
        if constexpr (kGrandparents) {
          if (siblings_) {
            x = hn::Add(x, vector.load(part, part_room_));
            part += lanes_.valid();
          }
        }
        hn::Store(highest != nullptr ? exp_of_nonpositive(d, x) : x, d, to);
      }
    });
  }

  // Marginals of the highest order, clipped to [0, 1], and those of the lower orders as their sums.
  COPSE_INLINE void store(const double* part_marginals, Marginals& marginals) const {
    const PackTag d;
    const auto one = hn::Set(d, 1.0);
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    const int slots = parts_.slots(arc_);
    double total = 0.0;
    for (int slot = 0; slot < slots; ++slot) {
      LaneVector sum = hn::Zero(d);
      for (std::ptrdiff_t i = 0; i < row; i += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
        sum = hn::Add(sum, hn::Load(d, part_marginals + slot * row + i));
      }
      const double of_slot = std::min(hn::GetLane(hn::SumOfLanes(d, sum)), 1.0);
      if (siblings_) marginals.sibling[parts_.sibling_begin(arc_) + slot] = of_slot;
      total += of_slot;
    }
    marginals.arc[arc_] = std::min(total, 1.0);
    if constexpr (kGrandparents) {
      double* grandchild = marginals.grandchild.data() + parts_.grandchild_begin(arc_);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t offset) COPSE_TERM {
        double* part = siblings_ ? marginals.grandsibling.data() + parts_.grandsibling_begin(arc_) : nullptr;
        const double* from = part_marginals + offset;
        LaneVector sum = hn::Zero(d);
        for (int slot = 0; slot < slots; ++slot, from += row) {
          const LaneVector x = hn::Min(hn::Load(d, from), one);
          sum = hn::Add(sum, x);
          if (!siblings_) continue;
          vector.store(x, part, part_room_);
          part += lanes_.valid();
        }
        vector.store(hn::Min(sum, one), grandchild, grandchild_room_);
      });
    }
  }

 private:
  // Whether the numbers of the arc's parts lie far enough inside their array.
  static bool has_room(PartIndex::Position begin, PartIndex::Position end, PartIndex::Position count) {
    return begin >= kPack && end + kPack <= count;
  }
  // Calls f(vector of lanes, its offset in a weight row) for the vectors that a weight row consists of.
  template <class F>
  COPSE_INLINE void for_each_vector(F&& f) const {
    const LaneRange range = layout_.lanes_of_arc(arc_);
    const std::ptrdiff_t step = hn::Lanes(PackTag());
    for (std::ptrdiff_t lane = range.first; lane < range.last; lane += step) {
      f(VectorOfLanes(lane, lanes_), lane - range.first);
    }
  }

  const ContextLayout<kGrandparents>& layout_;
  const PartIndex& parts_;
  int arc_;
  bool siblings_;
  GrandparentLanes lanes_;
  bool grandchild_room_ = false;
  bool part_room_ = false;
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
