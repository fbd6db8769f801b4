// The parts of one tree, and all parts of an index, with the words that they consist of.
#pragma once

#include <span>

#include "copse/inference/part_index.h"

namespace copse {

// The next modifier of the same head on the way from a word to its head; the head itself if there is none.
inline int inner_sibling(std::span<const int> heads, int modifier) {
  const int head = heads[static_cast<std::size_t>(modifier)];
  const int step = modifier < head ? 1 : -1;
  int at = modifier + step;
  while (at != head && heads[static_cast<std::size_t>(at)] != head) at += step;
  return at;
}

// Whether no modifier of the same head lies beyond this one.
inline bool is_outermost(std::span<const int> heads, int modifier) {
  const int head = heads[static_cast<std::size_t>(modifier)];
  const int step = modifier < head ? -1 : 1;
  for (int at = modifier + step; at > 0 && at < static_cast<int>(heads.size()); at += step) {
    if (heads[static_cast<std::size_t>(at)] == head) return false;
  }
  return true;
}

// Calls use(kind, words) for the parts of a tree: for one modifier after the other those that end in it,
// smaller kinds first. Heads are n + 1 numbers, of which the first is ignored. Below 0, a head is not known;
// then only the parts whose heads are known are visited, and siblings are the nearest known ones.
template <class Use>
void for_each_part_of_tree(std::span<const int> heads, Factorization factorization, Use use) {
  for (int modifier = 1; modifier < static_cast<int>(heads.size()); ++modifier) {
    const int head = heads[static_cast<std::size_t>(modifier)];
    if (head < 0) continue;
    const int grandparent = head == 0 ? 0 : heads[static_cast<std::size_t>(head)];
    const int sibling = has_siblings(factorization) ? inner_sibling(heads, modifier) : head;
    const int second_sibling =
        has_second_siblings(factorization) && sibling != head ? inner_sibling(heads, sibling) : head;
    for (const PartKind kind : part_kinds(factorization)) {
      if (has_grandparent(kind) && grandparent < 0) continue;
      if (kind == PartKind::outermost && !is_outermost(heads, modifier)) continue;
      use(kind, PartWords{grandparent, head, sibling, modifier, second_sibling});
    }
  }
}

// Calls use(words) for the parts that labels belong to alone: one for every modifier whose head, and whose
// head's head where that matters, is known.
template <class Use>
void for_each_labelled_part_of_tree(std::span<const int> heads, Factorization factorization, Use use) {
  for_each_part_of_tree(heads, factorization, [&](PartKind kind, const PartWords& words) {
    if (kind == labelled_kind(factorization)) use(words);
  });
}

// Calls use(words) for every part of a kind, in the order of its array. Words that the kind does not have: 0
// is the grandparent, the head the sibling and the second sibling.
template <PartKind kKind, class Use>
void for_each_part(const PartIndex& parts, Use use) {
  const ArcSet& arcs = parts.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int head = arcs[arc].head;
    const int modifier = arcs[arc].modifier;
    const int nearest = arcs.outgoing(head, ArcSet::side(arcs[arc])).first;
    const int slots = has_sibling(kKind) ? parts.slots(arc) : 1;
    const GrandparentRange grandparents =
        has_grandparent(kKind) ? parts.grandparents(head, modifier) : GrandparentRange{0, 1};
    const auto modifier_in = [&](int slot) { return slot == 0 ? head : arcs[nearest + slot - 1].modifier; };
    for (int slot = 0; slot < slots; ++slot) {
      const int second_slots = has_second_sibling(kKind) ? PartIndex::second_slots(slot) : 1;
      for (int second_slot = 0; second_slot < second_slots; ++second_slot) {
        for (int rank = grandparents.first; rank < grandparents.last; ++rank) {
          use(PartWords{has_grandparent(kKind) ? parts.grandparent(head, rank) : 0, head, modifier_in(slot),
                        modifier, modifier_in(second_slot)});
        }
      }
    }
  }
}

}  // namespace copse
