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
    const LaneVector a = bounded_exp(d, hn::Load(d, x + i));
    const LaneVector b = bounded_exp(d, hn::Load(d, x + i + step));
    hn::Store(a, d, x + i);
    hn::Store(b, d, x + i + step);
  }
  for (; i < count; i += step) hn::Store(bounded_exp(d, hn::Load(d, x + i)), d, x + i);
}

// The parts that end in one arc of a ContextLayout: [slot][lane] or [pair][lane], whole packs of lanes.
template <Contexts kContexts>
class ArcTransfer {
  using Layout = ContextLayout<kContexts>;
  static constexpr bool kGrandparents = Layout::kParents;
  static constexpr bool kAugmented = Layout::kAugmented;

 public:
  ArcTransfer(const Layout& layout, int arc)
      : layout_(layout),
        parts_(layout.parts()),
        arc_(arc),
        siblings_(has_siblings(parts_.factorization())),
        grandparents_(layout.grandparents(arc)) {
    if constexpr (kGrandparents) {
      grandchild_room_ =
          has_room(parts_.begin(PartKind::grandchild, arc), parts_.begin(PartKind::grandchild, arc + 1),
                   parts_.count(PartKind::grandchild));
      part_room_ = siblings_ && has_room(parts_.begin(PartKind::grandsibling, arc),
                                         parts_.begin(PartKind::grandsibling, arc + 1),
                                         parts_.count(PartKind::grandsibling));
    }
    if constexpr (kAugmented) {
      fourth_order_ = contains(parts_.factorization(), PartKind::grandtrisibling);
      pair_room_ = fourth_order_ && has_room(parts_.begin(PartKind::grandtrisibling, arc),
                                             parts_.begin(PartKind::grandtrisibling, arc + 1),
                                             parts_.count(PartKind::grandtrisibling));
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
    // What all slots share waits in the row of the last slot, and what a slot's pairs share in their last
    // one.
    double* shared = weights + last_row(slots - 1) * row;
    for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t offset) COPSE_TERM {
      LaneVector x = hn::Set(d, base);
      if constexpr (kGrandparents) {
        x = hn::Add(
            x, vector.load(source.potentials.of_arc(parts_, PartKind::grandchild, arc_), grandchild_room_));
      }
      hn::Store(hn::IfThenElse(vector.valid(), x, lowest), d, shared + offset);
    });
    for (int slot = 0; siblings_ && slot < slots; ++slot) {
      const double sibling = source.potentials.of_arc(parts_, PartKind::sibling, arc_)[slot];
      const auto own = slot < usable ? hn::Set(d, sibling) : lowest;
      double* to = weights + last_row(slot) * row;
      if constexpr (kGrandparents) {
        const double* part = source.potentials.of_arc(parts_, PartKind::grandsibling, arc_) +
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
      if constexpr (kAugmented) place_pairs(source, slot, to, weights);
    }
    if (highest != nullptr) exponentiate(weights, (last_row(slots - 1) + 1) * row);
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
      if constexpr (kAugmented) store_pairs(slot, part_marginals, marginals);
      const double* from = part_marginals + first_row(slot) * row;
      double* part = nullptr;
      if constexpr (kGrandparents) {
        if (siblings_) {
          part = marginals.of_arc(parts_, PartKind::grandsibling, arc_) +
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
      if (siblings_) marginals.of_arc(parts_, PartKind::sibling, arc_)[slot] = of_slot;
      total += of_slot;
    }
    marginals.arc[arc_] = std::min(total, 1.0);
    if constexpr (kGrandparents) {
      double* grandchild = marginals.of_arc(parts_, PartKind::grandchild, arc_);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
        vector.store(hn::Min(hn::Load(d, part_marginals + i), one), grandchild, grandchild_room_);
      });
    }
  }

 private:
  // The rows of a slot: one, or those of its pairs.
  static COPSE_INLINE std::ptrdiff_t first_row(int slot) {
    return kAugmented ? static_cast<std::ptrdiff_t>(PartIndex::pair(slot, 0)) : slot;
  }
  static COPSE_INLINE std::ptrdiff_t last_row(int slot) {
    return kAugmented ? static_cast<std::ptrdiff_t>(PartIndex::pair(slot, PartIndex::second_slots(slot) - 1))
                      : slot;
  }
  const double* fourth_order_row(const Potentials& potentials, PartIndex::Position pair) const {
    return potentials.of_arc(parts_, PartKind::grandtrisibling, arc_) + pair * grandparents_.size();
  }
  // From what the pairs of a slot share, which lies where the last of them belongs.
  COPSE_INLINE void place_pairs(const WeightSource& source, int slot, const double* shared,
                                double* weights) const {
    const PackTag d;
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    for (std::ptrdiff_t pair = first_row(slot); pair <= last_row(slot); ++pair) {
      const auto own = hn::Set(d, source.potentials.of_arc(parts_, PartKind::trisibling, arc_)[pair]);
      double* to = weights + pair * row;
      if (!fourth_order_) {
        for (std::ptrdiff_t i = 0; i < row; i += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
          hn::Store(hn::Add(hn::Load(d, shared + i), own), d, to + i);
        }
        continue;
      }
      const double* part = fourth_order_row(source.potentials, pair);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
        const auto x = hn::Add(hn::Load(d, shared + i), own);
        hn::Store(hn::Add(x, vector.load(part, pair_room_)), d, to + i);
      });
    }
  }
  // Leaves their sums in the first row of the slot.
  COPSE_INLINE void store_pairs(int slot, double* part_marginals, Marginals& marginals) const {
    const PackTag d;
    const auto one = hn::Set(d, 1.0);
    const std::ptrdiff_t row = layout_.weight_row(arc_);
    const std::ptrdiff_t first = first_row(slot);
    double* total = part_marginals + first * row;
    for (std::ptrdiff_t pair = first; pair <= last_row(slot); ++pair) {
      const double* from = part_marginals + pair * row;
      double* part = fourth_order_ ? const_cast<double*>(fourth_order_row(marginals, pair)) : nullptr;
      LaneVector sum = hn::Zero(d);
      for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t i) COPSE_TERM {
        const LaneVector x = hn::Min(hn::Load(d, from + i), one);
        sum = hn::Add(sum, x);
        hn::Store(pair == first ? x : hn::Add(hn::Load(d, total + i), x), d, total + i);
        if (fourth_order_) vector.store(x, part, pair_room_);
      });
      marginals.of_arc(parts_, PartKind::trisibling, arc_)[pair] =
          std::min(hn::GetLane(hn::SumOfLanes(d, sum)), 1.0);
    }
  }

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

  const Layout& layout_;
  const PartIndex& parts_;
  int arc_;
  bool siblings_;
  GrandparentRange grandparents_;
  bool grandchild_room_ = false;
  bool part_room_ = false;
  bool fourth_order_ = false;
  bool pair_room_ = false;
};

// The same for incomplete spans without parents: [slot]. The parts of outermost modifiers are rows of the
// chart, because the rule that closes a span uses them for every end that the span can have.
template <>
class ArcTransfer<Contexts::parents_of_complete> {
  using Layout = ContextLayout<Contexts::parents_of_complete>;

 public:
  ArcTransfer(const Layout& layout, int arc)
      : parts_(layout.parts()),
        arc_(arc),
        lanes_(layout.lanes_of_arc(arc)),
        grandparents_(layout.grandparents(arc)),
        room_(parts_.begin(PartKind::outermost, arc) >= kPack &&
              parts_.begin(PartKind::outermost, arc + 1) + kPack <= parts_.count(PartKind::outermost)) {}

  // An inner sibling is known not to be outermost: it gets the scale of its outermost parts here.
  void place(const WeightSource& source, const double* highest, double* weights) const {
    const ArcSet& arcs = parts_.arcs();
    const int modifier = arcs[arc_].modifier;
    const double* sibling = source.potentials.of_arc(parts_, PartKind::sibling, arc_);
    const double base = source.arc_potential(arc_) - (highest != nullptr ? highest[modifier] : 0.0);
    const int slots = parts_.slots(arc_);
    const int usable = source.usable_slots(arc_);
    for (int slot = 0; slot < usable; ++slot) weights[slot] = base + sibling[slot];
    std::fill(weights + usable, weights + round_up_to_pack(slots), -std::numeric_limits<double>::infinity());
    if (highest == nullptr) return;
    const double* outermost = outermost_part(highest, parts_.words());
    const int nearest = arc_ - slots + 1;
    for (int slot = 1; slot < usable; ++slot) {
      weights[slot] -= outermost[arcs[nearest + slot - 1].modifier];
    }
    exponentiate(weights, round_up_to_pack(slots));
  }
  void place_outermost(const WeightSource& source, const double* highest, double* row) const {
    const PackTag d;
    const double* potentials = source.potentials.of_arc(parts_, PartKind::outermost, arc_);
    const double scale =
        highest != nullptr ? outermost_part(highest, parts_.words())[parts_.arcs()[arc_].modifier] : 0.0;
    const auto lowest = hn::Set(d, -std::numeric_limits<double>::infinity());
    // The scale knows nothing of arcs that are impossible, whose outermost parts are never used.
    const auto limit = hn::Set(d, highest != nullptr ? 0.0 : kLargestPotential);
    for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t lane) COPSE_TERM {
      const auto x = hn::Min(hn::Sub(vector.load(potentials, room_), hn::Set(d, scale)), limit);
      hn::Store(hn::IfThenElse(vector.valid(), x, lowest), d, row + lane);
    });
    if (highest != nullptr && lanes_.last > lanes_.first) {
      exponentiate(row + lanes_.first, lanes_.last - lanes_.first);
    }
  }

  void store(const double* part_marginals, Marginals& marginals) const {
    double total = 0.0;
    for (int slot = 0; slot < parts_.slots(arc_); ++slot) {
      const double probability = std::min(part_marginals[slot], 1.0);
      marginals.of_arc(parts_, PartKind::sibling, arc_)[slot] = probability;
      total += probability;
    }
    marginals.arc[arc_] = std::min(total, 1.0);
  }
  // `values` null: adjoints are probabilities already.
  void store_outermost(const double* values, const double* adjoints, Marginals& marginals) const {
    const PackTag d;
    double* to = marginals.of_arc(parts_, PartKind::outermost, arc_);
    for_each_vector([&](const VectorOfLanes& vector, std::ptrdiff_t lane) COPSE_TERM {
      LaneVector x = hn::Load(d, adjoints + lane);
      if (values != nullptr) x = hn::Mul(x, hn::Load(d, values + lane));
      vector.store(hn::Min(x, hn::Set(d, 1.0)), to, room_);
    });
  }

 private:
  template <class F>
  COPSE_INLINE void for_each_vector(F&& f) const {
    const std::ptrdiff_t step = hn::Lanes(PackTag());
    for (std::ptrdiff_t lane = lanes_.first; lane < lanes_.last; lane += step) {
      f(VectorOfLanes(lane, grandparents_), lane);
    }
  }

  const PartIndex& parts_;
  int arc_;
  LaneRange lanes_;
  GrandparentRange grandparents_;
  bool room_;
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
