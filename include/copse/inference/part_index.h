#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "copse/inference/arc_set.h"
#include "copse/inference/factorization.h"

namespace copse {

// The candidate heads of a word h in cyclic order: first those to the right of h, then those to its left,
// each ascending. In this order, the heads outside a span that begins or ends in h are always neighbours.
// They are the grandparents that a modifier of h within the span can have. The root's own grandparent is 0,
// by convention.
struct GrandparentRange {
  int first;
  int last;  // one past the end
  int size() const { return last - first; }
};

// The words of a part. Places that its kind does not have hold anything.
struct PartWords {
  int grandparent = 0;  // 0 if the head is the root
  int head = 0;
  // The next modifier of the head between head and modifier; the head itself if there is none.
  int sibling = 0;
  int modifier = 0;
  int second_sibling = -1;  // the next one between head and sibling; the head itself if there is none
};

// Which parts exist under a set of candidate arcs, and where the number that belongs to each of them stands.
// One array per kind of part; within an array, parts are grouped by the arc h→m in which they end:
//   arc             [arc]
//   sibling         [arc][slot]         slot 0: m is the innermost modifier; slot 1 + r: its inner sibling is
//                                       the modifier of rank r on that side of h
//   grandchild      [arc][grandparent]  in the order of GrandparentRange, those outside the span only
//   grandsibling    [arc][slot][grandparent]
//   outermost       [arc][grandparent]
//   trisibling      [arc][pair]         pairs of a slot and the slot of the second sibling, which is a slot
//                                       of the arc to the sibling: see pair()
//   grandtrisibling [arc][pair][grandparent]
// Only the arrays that the factorization contains are non-empty.
class PartIndex {
 public:
  using Position = std::int64_t;
  static constexpr Position kNone = -1;

  // Keeps a reference to `arcs`, which must outlive this index and not change.
  void assign(const ArcSet& arcs, Factorization factorization);

  const ArcSet& arcs() const { return *arcs_; }
  Factorization factorization() const { return factorization_; }
  int words() const { return arcs_->words(); }

  // The size of an array; 0 for kinds that the factorization lacks.
  Position count(PartKind kind) const {
    if (kind == PartKind::arc) return arcs_->size();
    const std::vector<Position>& begins = begins_[static_cast<std::size_t>(kind)];
    return begins.empty() ? 0 : begins.back();
  }
  // Of all arrays together.
  Position count() const;

  // The position of a part, kNone if there is none of these words.
  Position find(PartKind kind, const PartWords& words) const;
  Position arc(int head, int modifier) const { return arcs_->find(head, modifier); }

  // For loops over all parts: where an arc's block begins in the array of a kind, and its extent.
  Position begin(PartKind kind, int arc) const {
    return kind == PartKind::arc ? arc : begins_[static_cast<std::size_t>(kind)][arc];
  }
  int slots(int arc) const { return has_siblings(factorization_) ? arcs_->outgoing_rank(arc) + 1 : 1; }
  // Slots with second siblings. A sibling in slot s > 0 has s slots itself: 0, if it is the innermost
  // modifier, and those of the modifiers inside of it. Without a sibling there is no second one: slot 0 is
  // one pair.
  static constexpr Position pair(int slot, int second_slot) {
    return slot == 0 ? 0 : 1 + Position{slot} * (slot - 1) / 2 + second_slot;
  }
  static constexpr int second_slots(int slot) { return slot == 0 ? 1 : slot; }
  // Pairs of the first so many slots.
  static constexpr Position pairs_of_slots(int slots) { return pair(slots, 0); }
  Position pairs(int arc) const { return pairs_of_slots(slots(arc)); }
  int grandparent_count(int arc) const {
    if (!has_grandparents(factorization_)) return 1;
    return grandparents((*arcs_)[arc].head, (*arcs_)[arc].modifier).size();
  }

  // The parts that labels belong to (labelled_kind). Those that end in an arc are neighbours: grandparents
  // within slots, either of which may be one alone.
  Position labelled_begin(int arc) const { return begin(labelled_kind(factorization_), arc); }
  int labelled_count(int arc) const {
    return slots(arc) * (has_grandparent(labelled_kind(factorization_)) ? grandparent_count(arc) : 1);
  }
  Position labelled(int grandparent, int head, int sibling, int modifier) const {
    return find(labelled_kind(factorization_), {grandparent, head, sibling, modifier});
  }

  // Ranks of the heads of `head` that are grandparents for the span from `head` to `end` (both included).
  GrandparentRange grandparents(int head, int end) const {
    if (head == 0) return {0, 1};
    const std::uint16_t* below = heads_below(head);
    if (head < end) return {below[end + 1] - below[head], below[words() + 1]};
    return {0, below[words() + 1] - below[head] + below[end]};
  }
  // The rank, in cyclic order, of the arc's head among the candidate heads of its modifier, and the head of a
  // rank.
  int grandparent_rank(int arc) const {
    const int modifier = (*arcs_)[arc].modifier;
    const std::uint16_t* below = heads_below(modifier);
    const int ascending = arcs_->incoming_rank(arc) - below[modifier];
    return ascending >= 0 ? ascending : ascending + below[words() + 1];
  }
  int grandparent(int head, int rank) const {
    if (head == 0) return 0;
    const std::uint16_t* below = heads_below(head);
    const int ascending = rank + below[head];
    return (*arcs_)[arcs_->incoming(
                        head)[ascending < below[words() + 1] ? ascending : ascending - below[words() + 1]]]
        .head;
  }

 private:
  const std::uint16_t* heads_below(int head) const {
    return below_.data() + static_cast<std::size_t>(head) * (words() + 2);
  }
  // How many siblings, alone or in pairs, a kind of parts that end in an arc has.
  Position rows(PartKind kind, int arc) const {
    if (has_second_sibling(kind)) return pairs(arc);
    return has_sibling(kind) ? slots(arc) : 1;
  }
  // The places of siblings and a grandparent in the block of an arc, or -1.
  int slot_of(int arc, int sibling) const;
  Position pair_of(int arc, int sibling, int second_sibling) const;
  int grandparent_place(int arc, int grandparent) const;

  const ArcSet* arcs_ = nullptr;
  Factorization factorization_ = Factorization::first;
  std::array<std::vector<Position>, kPartKinds>
      begins_;                        // per arc, plus the end; of arcs and absent kinds none
  std::vector<std::uint16_t> below_;  // [head][x]: how many candidate heads of `head` are < x
};

// One number for every part of an index: a potential (log domain), a marginal probability, an expected count.
class PartValues {
 public:
  // Every factorization has them, and their number is that of the arc: values.arc[parts.arc(head, modifier)].
  std::vector<double> arc;

  // The numbers of one kind.
  std::vector<double>& operator[](PartKind kind) {
    return kind == PartKind::arc ? arc : larger_[static_cast<std::size_t>(kind) - 1];
  }
  const std::vector<double>& operator[](PartKind kind) const {
    return kind == PartKind::arc ? arc : larger_[static_cast<std::size_t>(kind) - 1];
  }
  // Those of the parts of a kind that end in an arc.
  double* of_arc(const PartIndex& parts, PartKind kind, int number) {
    return (*this)[kind].data() + parts.begin(kind, number);
  }
  const double* of_arc(const PartIndex& parts, PartKind kind, int number) const {
    return (*this)[kind].data() + parts.begin(kind, number);
  }
  // Those of the parts that labels belong to.
  std::vector<double>& labelled(Factorization factorization) { return (*this)[labelled_kind(factorization)]; }
  const std::vector<double>& labelled(Factorization factorization) const {
    return (*this)[labelled_kind(factorization)];
  }

  // Kinds that the index lacks become empty.
  void assign(const PartIndex& parts, double value = 0.0);
  // The same size without a value: what stood there before, or 0.
  void resize(const PartIndex& parts);
  void scale(double factor);

 private:
  static_assert(kAllPartKinds.front() == PartKind::arc);
  std::array<std::vector<double>, kPartKinds - 1> larger_;  // by kind, from the first after arcs
};

// The largest potential that inference takes: sums over the parts of any tree then stay finite.
inline constexpr double kLargestPotential = 1e300;

using Potentials = PartValues;
using Marginals = PartValues;

}  // namespace copse
