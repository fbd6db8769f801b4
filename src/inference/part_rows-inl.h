// Weights of the parts of one arc in charts with parents, and marginals back. Compiled once per SIMD target,
// see recursion-inl.h.
#if defined(COPSE_PART_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_PART_ROWS_INL_H_
#undef COPSE_PART_ROWS_INL_H_
#else
#define COPSE_PART_ROWS_INL_H_
#endif

#include <algorithm>
#include <limits>
#include <numeric>

#include "inference/exp-inl.h"
#include "inference/recursion-inl.h"
#include "inference/transfer.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// to[i] = exp(from[i]). Whole vectors are read, which may reach a pack beyond the end. Memory has time
// meanwhile to fetch as many numbers that come `next`.
HWY_NOINLINE inline void exponentiate_rows(const double* from, std::ptrdiff_t count, double* to,
                                           const double* next) {
  const hn::CappedTag<double, kPack> d;
  const std::ptrdiff_t step = hn::Lanes(d);
  std::ptrdiff_t i = 0;
  for (; i + 2 * step <= count; i += 2 * step) {
    __builtin_prefetch(next + i);
    __builtin_prefetch(next + i + step);
    const auto a = bounded_exp(d, hn::LoadU(d, from + i));
    const auto b = bounded_exp(d, hn::LoadU(d, from + i + step));
    hn::StoreU(a, d, to + i);
    hn::StoreU(b, d, to + i + step);
  }
  for (; i < count; i += step) {
    const auto x = bounded_exp(d, hn::LoadU(d, from + i));
    hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(count - i)), d, to + i);
  }
}
HWY_NOINLINE inline void copy_rows(const double* from, std::ptrdiff_t count, double* to) {
  const hn::CappedTag<double, kPack> d;
  const std::ptrdiff_t step = hn::Lanes(d);
  for (std::ptrdiff_t i = 0; i < count; i += step) {
    hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  }
}

// The highest-order parts that end in an arc are rows, one for each slot, of the grandparents that the arc
// can have, one row after the other: weights lie as potentials and marginals do. Vectors of lanes begin at
// whole packs of the chart's rows, so that they may reach out of a row at both ends, but by less than a pack.
class PartRows {
  using Layout = ContextLayout<Contexts::parents>;

 public:
  PartRows(const Layout& layout, int arc)
      : parts_(layout.parts()),
        arc_(arc),
        siblings_(has_siblings(parts_.factorization())),
        grandparents_(layout.grandparents(arc)),
        slots_(layout.slots(arc)),
        first_lane_(grandparents_.first - layout.lanes_of_arc(arc).first),
        // Of grand-siblings there are at least as many.
        room_(parts_.begin(PartKind::grandchild, arc) >= kPack &&
              parts_.begin(PartKind::grandchild, arc + 1) + kPack <= parts_.count(PartKind::grandchild)) {}

  // Whether whole vectors may be read and written where the arc's parts have their numbers.
  bool has_room() const { return room_; }
  LaneRange valid() const { return {grandparents_.first, grandparents_.last}; }
  std::ptrdiff_t stride() const { return grandparents_.size(); }
  // Where the marginals of the highest order are.
  double* block(Marginals& marginals) const {
    return siblings_ ? marginals.of_arc(parts_, PartKind::grandsibling, arc_)
                     : marginals.of_arc(parts_, PartKind::grandchild, arc_);
  }
  // What lies where the first vector of the first row begins.
  template <class T>
  T* first_vector(T* first_part) const {
    return first_part - first_lane_;
  }

  // Weights as they are (`highest` null), or exp(weight - highest[m]). Returns where the first one is: in the
  // scratch memory, or in `kept`, if that is given.
  double* place(const WeightSource& source, const double* highest, double* scratch, double* kept,
                const double* next) const {
    double* rows = scratch + kPack;
    const double base =
        source.arc_potential(arc_) - (highest != nullptr ? highest[parts_.arcs()[arc_].modifier] : 0.0);
    if (room_) {
      add_up_vectors(source, base, rows);
    } else {
      add_up_numbers(source, base, rows);
    }
    surround(rows);
    if (highest == nullptr) return rows;
    double* to = kept != nullptr ? kept : rows;
    exponentiate_rows(rows, count(), to, next);
    return to;
  }
  // Brings weights that were kept back into the scratch memory.
  double* take_back(const double* kept, double* scratch) const {
    double* rows = scratch + kPack;
    copy_rows(kept, count(), rows);
    surround(rows);
    return rows;
  }
  std::ptrdiff_t count() const { return static_cast<std::ptrdiff_t>(slots_) * grandparents_.size(); }

  // From where the vectors of rows were written to the parts' place.
  void move_block(const double* first_vector_written, double* to) const {
    std::copy_n(first_vector_written + first_lane_, count(), to);
  }
  void store_nothing(Marginals& marginals) const {
    marginals.arc[arc_] = 0.0;
    std::fill_n(marginals.of_arc(parts_, PartKind::grandchild, arc_), grandparents_.size(), 0.0);
    if (!siblings_) return;
    std::fill_n(marginals.of_arc(parts_, PartKind::sibling, arc_), slots_, 0.0);
    std::fill_n(block(marginals), count(), 0.0);
  }
  // A vector of marginals of grandchildren, clipped to 1.
  template <class V>
  COPSE_INLINE void store_grandchild(std::ptrdiff_t lane, V x, Marginals& marginals) const {
    const hn::CappedTag<double, kPack> d;
    double* to = marginals.of_arc(parts_, PartKind::grandchild, arc_);
    const V clipped = hn::Min(x, hn::Set(d, 1.0));
    const std::ptrdiff_t at = lane - grandparents_.first;
    if (room_) {
      const V index = hn::Iota(d, static_cast<double>(at));
      const auto is_valid =
          hn::And(hn::Ge(index, hn::Zero(d)), hn::Lt(index, hn::Set(d, grandparents_.size())));
      hn::BlendedStore(clipped, is_valid, d, to + at);
      return;
    }
    HWY_ALIGN double lanes[kPack];
    hn::Store(clipped, d, lanes);
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(hn::Lanes(d)); ++i) {
      if (at + i >= 0 && at + i < grandparents_.size()) to[at + i] = lanes[i];
    }
  }
  double sum_of_grandchildren(const Marginals& marginals) const {
    const double* first = marginals.of_arc(parts_, PartKind::grandchild, arc_);
    return std::min(std::accumulate(first, first + grandparents_.size(), 0.0), 1.0);
  }
  // Without siblings: marginals from the one row.
  void store_row(const double* first_vector_written, Marginals& marginals) const {
    const hn::CappedTag<double, kPack> d;
    const std::ptrdiff_t lanes = grandparents_.size();
    auto sum = hn::Zero(d);
    for (std::ptrdiff_t i = 0; i < lanes; i += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
      const auto is_valid = hn::FirstN(d, static_cast<std::size_t>(lanes - i));
      const auto x = hn::LoadU(d, first_vector_written + first_lane_ + i);
      sum = hn::Add(sum, hn::IfThenElseZero(is_valid, hn::Min(x, hn::Set(d, 1.0))));
      store_grandchild(grandparents_.first + i, x, marginals);
    }
    marginals.arc[arc_] = std::min(hn::GetLane(hn::SumOfLanes(d, sum)), 1.0);
  }

 private:
  // Vectors that begin before the first part or reach beyond the last one find numbers there.
  void surround(double* rows) const {
    std::fill_n(rows - kPack, kPack, 0.0);
    std::fill_n(rows + count(), kPack, 0.0);
  }
  // Calls f(potential) for each slot: minus infinity, if it is not usable.
  template <class F>
  COPSE_INLINE void for_each_slot(const WeightSource& source, F&& f) const {
    const double* sibling = source.potentials.of_arc(parts_, PartKind::sibling, arc_);
    const int usable = source.usable_slots(arc_);
    for (int slot = 0; slot < usable; ++slot) f(sibling[slot]);
    for (int slot = usable; slot < slots_; ++slot) f(-std::numeric_limits<double>::infinity());
  }
  // What a row's last vector has too many, the next row overwrites.
  void add_up_vectors(const WeightSource& source, double base, double* rows) const {
    const hn::CappedTag<double, kPack> d;
    const std::ptrdiff_t step = hn::Lanes(d);
    const std::ptrdiff_t lanes = grandparents_.size();
    const double* grandchild = source.potentials.of_arc(parts_, PartKind::grandchild, arc_);
    if (!siblings_) {
      for (std::ptrdiff_t i = 0; i < lanes; i += step) {
        hn::StoreU(hn::Add(hn::LoadU(d, grandchild + i), hn::Set(d, base)), d, rows + i);
      }
    } else {
      const double* part = source.potentials.of_arc(parts_, PartKind::grandsibling, arc_);
      for_each_slot(source, [&](double potential) COPSE_TERM {
        const auto shared = hn::Set(d, base + potential);
        for (std::ptrdiff_t i = 0; i < lanes; i += step) {
          const auto x = hn::Add(hn::LoadU(d, part + i), hn::LoadU(d, grandchild + i));
          hn::StoreU(hn::Add(x, shared), d, rows + i);
        }
        part += lanes;
        rows += lanes;
      });
    }
  }
  void add_up_numbers(const WeightSource& source, double base, double* rows) const {
    const double* grandchild = source.potentials.of_arc(parts_, PartKind::grandchild, arc_);
    if (!siblings_) {
      for (int i = 0; i < grandparents_.size(); ++i) rows[i] = grandchild[i] + base;
      return;
    }
    const double* part = source.potentials.of_arc(parts_, PartKind::grandsibling, arc_);
    for_each_slot(source, [&](double potential) {
      for (int i = 0; i < grandparents_.size(); ++i) *rows++ = *part++ + grandchild[i] + (base + potential);
    });
  }

  const PartIndex& parts_;
  int arc_;
  bool siblings_;
  GrandparentRange grandparents_;
  int slots_;
  std::ptrdiff_t first_lane_;
  bool room_;
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
