#include "copse/inference/part_index.h"

#include <cstdlib>

namespace copse {

void PartIndex::assign(const ArcSet& arcs, Factorization factorization) {
  arcs_ = &arcs;
  factorization_ = factorization;
  const bool siblings = has_siblings(factorization);
  const bool grandparents_used = has_grandparents(factorization);
  const int words = arcs.words();

  if (grandparents_used) {
    const std::size_t row = static_cast<std::size_t>(words) + 2;
    below_.resize(row * (words + 1));
    for (int head = 1; head <= words; ++head) {
      std::uint16_t* below = below_.data() + head * row;
      std::uint16_t count = 0;
      int next = 0;
      for (int arc : arcs.incoming(head)) {
        while (next <= arcs[arc].head) below[next++] = count;
        ++count;
      }
      while (next <= words + 1) below[next++] = count;
    }
  }

  const std::size_t boundaries = static_cast<std::size_t>(arcs.size()) + 1;
  slots_begin_.resize(siblings ? boundaries : 0);
  lanes_begin_.resize(grandparents_used ? boundaries : 0);
  parts_begin_.resize(has_grand_siblings() ? boundaries : 0);
  Position slots_end = 0;
  Position lanes_end = 0;
  Position parts_end = 0;
  for (int arc = 0; arc <= arcs.size(); ++arc) {
    if (siblings) slots_begin_[arc] = slots_end;
    if (grandparents_used) lanes_begin_[arc] = lanes_end;
    if (has_grand_siblings()) parts_begin_[arc] = parts_end;
    if (arc == arcs.size()) break;
    const int slot_count = slots(arc);
    slots_end += slot_count;
    if (grandparents_used) {
      const int lanes = grandparents(arcs[arc].head, arcs[arc].modifier).valid();
      lanes_end += lanes;
      parts_end += static_cast<Position>(slot_count) * lanes;
    }
  }
}

PartIndex::Position PartIndex::sibling(int head, int sibling, int modifier) const {
  if (!has_siblings(factorization_)) return kNone;
  const int arc = arcs_->find(head, modifier);
  if (arc == ArcSet::kNone) return kNone;
  if (sibling == head) return slots_begin_[arc];
  const int inner = arcs_->find(head, sibling);
  if (inner == ArcSet::kNone) return kNone;
  if (ArcSet::side((*arcs_)[inner]) != ArcSet::side((*arcs_)[arc]) || inner >= arc) return kNone;
  return slots_begin_[arc] + 1 + arcs_->rank(inner);
}

int PartIndex::valid_lane(int grandparent, int head, int modifier) const {
  if (head == 0) return grandparent == 0 ? 0 : -1;
  const int arc = arcs_->find(grandparent, head);
  if (arc == ArcSet::kNone) return -1;
  const int at = lane(arc);
  const GrandparentLanes lanes = grandparents(head, modifier);
  return lanes.first <= at && at < lanes.last ? at - lanes.first : -1;
}

PartIndex::Position PartIndex::grandchild(int grandparent, int head, int modifier) const {
  if (!has_grandparents(factorization_)) return kNone;
  const int arc = arcs_->find(head, modifier);
  if (arc == ArcSet::kNone) return kNone;
  const int lane = valid_lane(grandparent, head, modifier);
  return lane < 0 ? kNone : lanes_begin_[arc] + lane;
}

PartIndex::Position PartIndex::grandsibling(int grandparent, int head, int sibling, int modifier) const {
  if (!has_grand_siblings()) return kNone;
  const Position slot_position = this->sibling(head, sibling, modifier);
  const Position lane_position = grandchild(grandparent, head, modifier);
  if (slot_position == kNone || lane_position == kNone) return kNone;
  const int arc = arcs_->find(head, modifier);
  const Position slot = slot_position - slots_begin_[arc];
  const Position lane = lane_position - lanes_begin_[arc];
  return parts_begin_[arc] + slot * (lanes_begin_[arc + 1] - lanes_begin_[arc]) + lane;
}

PartIndex::Position PartIndex::largest_begin(int arc) const {
  switch (factorization_) {
    case Factorization::sibling:
      return slots_begin_[arc];
    case Factorization::grandchild:
      return lanes_begin_[arc];
    case Factorization::grandsibling:
      return parts_begin_[arc];
    case Factorization::first:
      break;
  }
  return arc;
}

PartIndex::Position PartIndex::largest(int grandparent, int head, int sibling, int modifier) const {
  switch (factorization_) {
    case Factorization::sibling:
      return this->sibling(head, sibling, modifier);
    case Factorization::grandchild:
      return grandchild(grandparent, head, modifier);
    case Factorization::grandsibling:
      return grandsibling(grandparent, head, sibling, modifier);
    case Factorization::first:
      break;
  }
  return arc(head, modifier);
}

void PartValues::assign(const PartIndex& parts, double value) {
  arc.assign(parts.arc_count(), value);
  sibling.assign(parts.sibling_count(), value);
  grandchild.assign(parts.grandchild_count(), value);
  grandsibling.assign(parts.grandsibling_count(), value);
}

std::vector<double>& PartValues::largest(Factorization factorization) {
  switch (factorization) {
    case Factorization::sibling:
      return sibling;
    case Factorization::grandchild:
      return grandchild;
    case Factorization::grandsibling:
      return grandsibling;
    case Factorization::first:
      break;
  }
  return arc;
}

}  // namespace copse
