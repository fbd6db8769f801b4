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
  VectorOfLanes(std::ptrdiff_t lane, const GrandparentRange& range)
      : at_(lane - range.first), count_(range.size()) {
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

// x[i] = exp(x[i]). A loop of its own, so that the constants of the polynomial stay in registers.
HWY_NOINLINE inline void exponentiate(double* x, std::ptrdiff_t count) {
  const PackTag d;
  const std::ptrdiff_t step = hn::Lanes(d);
  std::ptrdiff_t i = 0;
  for (; i + 2 * step <= count; i += 2 * step) {
    const LaneVector a = exp_of_nonpositive(d, hn::Load(d, x + i));
    const LaneVector b = exp_of_nonpositive(d, hn::Load(d, x + i + step));
    hn::Store(a, d, x + i);
    hn::Store(b, d, x + i + step);
  }
  for (; i < count; i += step) hn::Store(exp_of_nonpositive(d, hn::Load(d, x + i)), d, x + i);
}

// The parts that end in one arc of a ContextLayout: [slot][lane], whole packs of lanes.
template <bool kGrandparents>
class ArcTransfer {
 public:
  ArcTransfer(const ContextLayout<kGrandparents>& layout, int arc)
      : layout_(layout),
        parts_(layout.parts()),
        arc_(arc),
        siblings_(has_siblings(parts_.factorization())),
        grandparents_(layout.grandparents(arc)) {
    if constexpr (kGrandparents) {
      grandchild_room_ =
          has_room(parts_.grandchild_begin(arc), parts_.grandchild_begin(arc + 1), parts_.grandchild_count());
      part_room_ = siblings_ && has_room(parts_.grandsibling_begin(arc), parts_.grandsibling_begin(arc + 1),
                                         parts_.grandsibling_count());
    }
  }

  // As they are (`highest` null), or as exp(weight - highest[m]). Numbers are touched in the order in which
  // they lie in memory, which for long sentences is what takes the time.
  COPSE_INLINE void place(const WeightSource& source, const double* highest, double* weights) const {
    const PackTag d;
    const auto lowest = hn::Set(d, -std::numeric_limits<double>::infinity());
    const double base =
        source.arc_potential(arc_) - (highest != nullptr ? highest[parts_.arcs()[arc_].modifier] : 0.0);
    const int slots = parts_.slots(arc_);
    const int usable = source.usable_slots(arc_);
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    // What all slots share waits in the row of the last slot.
    double* shared = weights + (slots - 1) * row;
    for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t offset) COPSE_TERM {
      LaneVector x = hn::Set(d, base);
      if constexpr (kGrandparents) {
        x = hn::Add(x, vector.load(source.potentials.grandchild.data() + parts_.grandchild_begin(arc_),
                                   grandchild_room_));
      }
      hn::Store(hn::IfThenElse(vector.valid(), x, lowest), d, shared + offset);
    });
    for (int slot = 0; siblings_ && slot < slots; ++slot) {
      const double sibling = source.potentials.sibling[parts_.sibling_begin(arc_) + slot];
      const auto own = slot < usable ? hn::Set(d, sibling) : lowest;
      double* to = weights + slot * row;
      if constexpr (kGrandparents) {
        const double* part = source.potentials.grandsibling.data() + parts_.grandsibling_begin(arc_) +
                             static_cast<std::ptrdiff_t>(slot) * grandparents_.size();
        if (part_room_) {
          part += layout_.lanes_of_arc(arc_).first - grandparents_.first;
          for (std::ptrdiff_t i = 0; i < row; i += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
            const auto x = hn::Add(hn::Load(d, shared + i), own);
            hn::Store(hn::Add(x, hn::LoadU(d, part + i)), d, to + i);
          }
        } else {
          for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
            const auto x = hn::Add(hn::Load(d, shared + i), own);
            hn::Store(hn::Add(x, vector.load(part, false)), d, to + i);
          });
        }
      } else {
        for (std::ptrdiff_t i = 0; i < row; i += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
          hn::Store(hn::Add(hn::Load(d, shared + i), own), d, to + i);
        }
      }
    }
    if (highest != nullptr) exponentiate(weights, slots * row);
  }

  // Marginals of the highest order, clipped to [0, 1], and those of the lower orders as their sums. Spends
  // what it reads: sums over slots are gathered in the row of the first one.
  COPSE_INLINE void store(double* part_marginals, Marginals& marginals) const {
    const PackTag d;
    const auto one = hn::Set(d, 1.0);
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    const int slots = parts_.slots(arc_);
    double total = 0.0;
    for (int slot = 0; slot < slots; ++slot) {
      const double* from = part_marginals + slot * row;
      double* part = nullptr;
      if constexpr (kGrandparents) {
        if (siblings_) {
          part = marginals.grandsibling.data() + parts_.grandsibling_begin(arc_) +
                 static_cast<std::ptrdiff_t>(slot) * grandparents_.size();
        }
      }
      LaneVector sum = hn::Zero(d);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
        const LaneVector x = hn::Min(hn::Load(d, from + i), one);
        sum = hn::Add(sum, x);
        hn::Store(slot == 0 ? x : hn::Add(hn::Load(d, part_marginals + i), x), d, part_marginals + i);
        if (kGrandparents && siblings_) vector.store(x, part, part_room_);
      });
      const double of_slot = std::min(hn::GetLane(hn::SumOfLanes(d, sum)), 1.0);
      if (siblings_) marginals.sibling[parts_.sibling_begin(arc_) + slot] = of_slot;
      total += of_slot;
    }
    marginals.arc[arc_] = std::min(total, 1.0);
    if constexpr (kGrandparents) {
      double* grandchild = marginals.grandchild.data() + parts_.grandchild_begin(arc_);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
        vector.store(hn::Min(hn::Load(d, part_marginals + i), one), grandchild, grandchild_room_);
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
      f(VectorOfLanes(lane, grandparents_), lane - range.first);
    }
  }

  const ContextLayout<kGrandparents>& layout_;
  const PartIndex& parts_;
  int arc_;
  bool siblings_;
  GrandparentRange grandparents_;
  bool grandchild_room_ = false;
  bool part_room_ = false;
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
