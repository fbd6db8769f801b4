#include "copse/inference/part_index.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace copse {

void PartIndex::assign(const ArcSet& arcs, Factorization factorization) {
  arcs_ = &arcs;
  factorization_ = factorization;
  const int words = arcs.words();

  if (has_grandparents(factorization)) {
    // Numbers of heads have 16 bits.
    if (words >= std::numeric_limits<std::uint16_t>::max()) {
      throw std::length_error(fmt::format("a sentence of {} words is too long for {} parts; split it", words,
                                          name(factorization)));
    }
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
  for (const PartKind kind : kAllPartKinds) {
    if (kind == PartKind::arc) continue;
    std::vector<Position>& begins = begins_[static_cast<std::size_t>(kind)];
    const bool is_contained = contains(factorization, kind);
    begins.resize(is_contained ? boundaries : 0);
    if (!is_contained) continue;
    Position end = 0;
    for (int arc = 0; arc < arcs.size(); ++arc) {
      begins[arc] = end;
      end += rows(kind, arc) * (has_grandparent(kind) ? grandparent_count(arc) : 1);
    }
    begins[arcs.size()] = end;
  }
}

PartIndex::Position PartIndex::count() const {
  Position sum = 0;
  for (const PartKind kind : part_kinds(factorization_)) sum += count(kind);
  return sum;
}

int PartIndex::slot_of(int arc, int sibling) const {
  const Arc& ends = (*arcs_)[arc];
  if (sibling == ends.head) return 0;
  const int inner = arcs_->find(ends.head, sibling);
  if (inner == ArcSet::kNone || inner >= arc || ArcSet::side((*arcs_)[inner]) != ArcSet::side(ends))
    return -1;
  return 1 + arcs_->outgoing_rank(inner);
}

PartIndex::Position PartIndex::pair_of(int arc, int sibling, int second_sibling) const {
  const int head = (*arcs_)[arc].head;
  const int slot = slot_of(arc, sibling);
  if (slot < 0) return -1;
  if (slot == 0) return second_sibling == head ? 0 : -1;
  const int second_slot = slot_of(arcs_->find(head, sibling), second_sibling);
  return second_slot < 0 ? -1 : pair(slot, second_slot);
}

int PartIndex::grandparent_place(int arc, int grandparent) const {
  const auto [head, modifier] = (*arcs_)[arc];
  if (head == 0) return grandparent == 0 ? 0 : -1;
  const int above = arcs_->find(grandparent, head);
  if (above == ArcSet::kNone) return -1;
  const int at = grandparent_rank(above);
  const GrandparentRange range = grandparents(head, modifier);
  return range.first <= at && at < range.last ? at - range.first : -1;
}

PartIndex::Position PartIndex::find(PartKind kind, const PartWords& words) const {
  if (!contains(factorization_, kind)) return kNone;
  const int arc = arcs_->find(words.head, words.modifier);
  if (arc == ArcSet::kNone) return kNone;
  const Position row = has_second_sibling(kind) ? pair_of(arc, words.sibling, words.second_sibling)
                       : has_sibling(kind)      ? slot_of(arc, words.sibling)
                                                : 0;
  const int place = has_grandparent(kind) ? grandparent_place(arc, words.grandparent) : 0;
  if (row < 0 || place < 0) return kNone;
  return begin(kind, arc) + row * (has_grandparent(kind) ? grandparent_count(arc) : 1) + place;
}

void PartValues::assign(const PartIndex& parts, double value) {
  for (const PartKind kind : kAllPartKinds) {
    (*this)[kind].assign(static_cast<std::size_t>(parts.count(kind)), value);
  }
}

void PartValues::resize(const PartIndex& parts) {
  for (const PartKind kind : kAllPartKinds) (*this)[kind].resize(static_cast<std::size_t>(parts.count(kind)));
}

void PartValues::scale(double factor) {
  for (const PartKind kind : kAllPartKinds) {
    for (double& value : (*this)[kind]) value *= factor;
  }
}

}  // namespace copse
