// The largest weight of the parts that end in each word.
#include <algorithm>
#include <limits>

#include "inference/transfer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/highest_weights.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNothing = 0.0;

// The largest of the numbers in a row, after `valid` has taken up whether one is NaN or too large.
HWY_INLINE double highest_in_row(const double* row, std::ptrdiff_t count, bool& valid) {
  const hn::ScalableTag<double> d;
  const std::ptrdiff_t step = hn::Lanes(d);
  std::ptrdiff_t i = 0;
  double highest = -kInfinity;
  if (count >= step) {
    auto best = hn::Set(d, -kInfinity);
    auto bad = hn::Gt(best, best);
    for (; i + step <= count; i += step) {
      const auto x = hn::LoadU(d, row + i);
      bad = hn::Or(bad, hn::Not(hn::Le(x, hn::Set(d, kLargestPotential))));
      best = hn::Max(best, x);
    }
    valid &= hn::AllFalse(d, bad);
    highest = hn::GetLane(hn::MaxOfLanes(d, best));
  }
  for (; i < count; ++i) {
    valid &= row[i] <= kLargestPotential;
    highest = row[i] > highest ? row[i] : highest;
  }
  return highest;
}

// The highest of sibling[slot] + lane potential + part potential over all slots and lanes of an arc. `room`:
// the potentials of parts and lanes may be read a vector beyond the last one.
HWY_INLINE double highest_of_lanes(const double* sibling, int slots, const double* grandchild, int lanes,
                                   const double* part, bool room, bool& valid) {
  const hn::ScalableTag<double> d;
  const int step = static_cast<int>(hn::Lanes(d));
  const auto lowest = hn::Set(d, -kInfinity);
  const auto limit = hn::Set(d, kLargestPotential);
  // What the last vector of a row has of the next one is put out of the way.
  const int whole = lanes / step * step;
  const int last = room ? lanes : whole;
  const auto mine = hn::FirstN(d, static_cast<std::size_t>(lanes - whole));
  auto best = lowest;
  auto bad = hn::Gt(lowest, lowest);
  double highest = -kInfinity;
  // As the parts lie in memory.
  for (int slot = 0; slot < slots; ++slot, part += lanes) {
    valid &= sibling[slot] <= kLargestPotential;
    const auto shared = hn::Set(d, sibling[slot]);
    int lane = 0;
    for (; lane < whole; lane += step) {
      const auto x = hn::Add(hn::LoadU(d, part + lane), shared);
      bad = hn::Or(bad, hn::Not(hn::Le(x, limit)));
      best = hn::Max(best, hn::Add(x, hn::LoadU(d, grandchild + lane)));
    }
    if (lane < last) {
      const auto x = hn::Add(hn::LoadU(d, part + lane), shared);
      bad = hn::Or(bad, hn::And(mine, hn::Not(hn::Le(x, limit))));
      best = hn::Max(best, hn::IfThenElse(mine, hn::Add(x, hn::LoadU(d, grandchild + lane)), lowest));
      continue;
    }
    for (; lane < lanes; ++lane) {
      const double x = part[lane] + sibling[slot];
      valid &= x <= kLargestPotential;
      highest = x + grandchild[lane] > highest ? x + grandchild[lane] : highest;
    }
  }
  valid &= hn::AllFalse(d, bad);
  highest_in_row(grandchild, lanes, valid);
  const double of_vectors = hn::GetLane(hn::MaxOfLanes(d, best));
  return of_vectors > highest ? of_vectors : highest;
}

// The highest of sum + a[lane] + b[lane] + c[lane].
HWY_INLINE double highest_of_rows(double sum, const double* a, const double* b, const double* c, int lanes,
                                  bool& valid) {
  const hn::ScalableTag<double> d;
  const int step = static_cast<int>(hn::Lanes(d));
  const auto lowest = hn::Set(d, -kInfinity);
  const auto limit = hn::Set(d, kLargestPotential);
  auto best = lowest;
  auto bad = hn::Gt(lowest, lowest);
  int lane = 0;
  for (; lane + step <= lanes; lane += step) {
    const auto of_a = hn::LoadU(d, a + lane);
    const auto of_b = hn::LoadU(d, b + lane);
    const auto of_c = hn::LoadU(d, c + lane);
    const auto all_right = hn::And(hn::And(hn::Le(of_a, limit), hn::Le(of_b, limit)), hn::Le(of_c, limit));
    bad = hn::Or(bad, hn::Not(all_right));
    best = hn::Max(best, hn::Add(hn::Add(of_a, of_b), of_c));
  }
  valid &= hn::AllFalse(d, bad);
  double highest = hn::GetLane(hn::MaxOfLanes(d, best));
  for (; lane < lanes; ++lane) {
    valid &= a[lane] <= kLargestPotential && b[lane] <= kLargestPotential && c[lane] <= kLargestPotential;
    const double x = a[lane] + b[lane] + c[lane];
    highest = x > highest ? x : highest;
  }
  return sum + highest;
}

// The highest weight of an arc with second siblings, without that of the arc itself.
HWY_INLINE double highest_of_pairs(const WeightSource& source, int arc, bool& valid) {
  const PartIndex& parts = source.parts;
  const Potentials& potentials = source.potentials;
  const bool fourth_order = contains(parts.factorization(), PartKind::grandtrisibling);
  const int lanes = parts.grandparent_count(arc);
  const double* grandchild = potentials.of_arc(parts, PartKind::grandchild, arc);
  double highest = -kInfinity;
  for (int slot = 0; slot < source.usable_slots(arc); ++slot) {
    const double sibling = potentials.of_arc(parts, PartKind::sibling, arc)[slot];
    valid &= sibling <= kLargestPotential;
    const double* grandsibling =
        potentials.of_arc(parts, PartKind::grandsibling, arc) + static_cast<std::ptrdiff_t>(slot) * lanes;
    const PartIndex::Position first = PartIndex::pair(slot, 0);
    const double* trisibling = potentials.of_arc(parts, PartKind::trisibling, arc) + first;
    const int seconds = PartIndex::second_slots(slot);
    if (!fourth_order) {
      // Neither second siblings nor grandparents choose for the others.
      const double second = highest_in_row(trisibling, seconds, valid);
      const double x =
          sibling + second + highest_of_lanes(&kNothing, 1, grandchild, lanes, grandsibling, false, valid);
      highest = x > highest ? x : highest;
      continue;
    }
    for (int second = 0; second < seconds; ++second) {
      valid &= trisibling[second] <= kLargestPotential;
      const double x = highest_of_rows(
          sibling + trisibling[second], grandchild, grandsibling,
          potentials.of_arc(parts, PartKind::grandtrisibling, arc) + (first + second) * lanes, lanes, valid);
      highest = x > highest ? x : highest;
    }
  }
  return highest;
}

bool find_highest_weights(const WeightSource& source, double* highest) {
  const PartIndex& parts = source.parts;
  const Potentials& potentials = source.potentials;
  const ArcSet& arcs = parts.arcs();
  const std::size_t padded = SpanLayout::padded_words(arcs.words());
  std::fill_n(highest, contains(parts.factorization(), PartKind::outermost) ? 2 * padded : padded, 0.0);
  std::fill_n(highest + 1, arcs.words(), -kInfinity);
  bool valid = true;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    double best = source.arc_potential(arc);
    valid &= best <= kLargestPotential;
    switch (parts.factorization()) {
      case Factorization::first:
        break;
      case Factorization::sibling:
        best +=
            highest_in_row(potentials.of_arc(parts, PartKind::sibling, arc), source.usable_slots(arc), valid);
        break;
      case Factorization::grandchild:
        best += highest_in_row(potentials.of_arc(parts, PartKind::grandchild, arc),
                               parts.grandparents(arcs[arc].head, arcs[arc].modifier).size(), valid);
        break;
      case Factorization::outermost: {
        best +=
            highest_in_row(potentials.of_arc(parts, PartKind::sibling, arc), source.usable_slots(arc), valid);
        const double high =
            highest_in_row(potentials.of_arc(parts, PartKind::outermost, arc),
                           parts.grandparents(arcs[arc].head, arcs[arc].modifier).size(), valid);
        double& outermost = highest[SpanLayout::padded_words(arcs.words()) + arcs[arc].modifier];
        outermost = best > -kInfinity && high > outermost ? high : outermost;
        break;
      }
      case Factorization::trisibling:
      case Factorization::grandtrisibling:
        best += highest_of_pairs(source, arc, valid);
        break;
      case Factorization::grandsibling: {
        const double* part = potentials.of_arc(parts, PartKind::grandsibling, arc);
        const bool room =
            parts.begin(PartKind::grandsibling, arc + 1) + kPack <= parts.count(PartKind::grandsibling) &&
            parts.begin(PartKind::grandchild, arc + 1) + kPack <= parts.count(PartKind::grandchild);
        best += highest_of_lanes(potentials.of_arc(parts, PartKind::sibling, arc), source.usable_slots(arc),
                                 potentials.of_arc(parts, PartKind::grandchild, arc),
                                 parts.grandparents(arcs[arc].head, arcs[arc].modifier).size(), part, room,
                                 valid);
        break;
      }
    }
    double& high = highest[arcs[arc].modifier];
    high = best > high ? best : high;
  }
  return valid;
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(find_highest_weights);

double WeightSource::weight(int arc, int slot, int second_slot, int place) const {
  if (slot >= usable_slots(arc)) return -std::numeric_limits<double>::infinity();
  double sum = arc_potential(arc);
  const Factorization factorization = parts.factorization();
  const auto has = [&](PartKind kind) { return contains(factorization, kind); };
  if (has(PartKind::sibling)) sum += potentials.of_arc(parts, PartKind::sibling, arc)[slot];
  if (!has(PartKind::grandchild)) return sum;
  sum += potentials.of_arc(parts, PartKind::grandchild, arc)[place];
  if (!has(PartKind::grandsibling)) return sum;
  const PartIndex::Position grandparents =
      parts.begin(PartKind::grandchild, arc + 1) - parts.begin(PartKind::grandchild, arc);
  sum += potentials.of_arc(parts, PartKind::grandsibling, arc)[slot * grandparents + place];
  if (!has(PartKind::trisibling)) return sum;
  const PartIndex::Position pair = PartIndex::pair(slot, second_slot);
  sum += potentials.of_arc(parts, PartKind::trisibling, arc)[pair];
  if (!has(PartKind::grandtrisibling)) return sum;
  return sum + potentials.of_arc(parts, PartKind::grandtrisibling, arc)[pair * grandparents + place];
}

bool find_highest(const WeightSource& source, double* highest) {
  return HWY_DYNAMIC_DISPATCH(find_highest_weights)(source, highest);
}

}  // namespace copse
#endif
