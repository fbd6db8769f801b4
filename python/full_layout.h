// Where the parts of a sentence with all arcs stand in the arrays of a PartIndex, by formula: what a GPU can
// compute for each part without tables. tests/test_torch.py compares this with PartIndex in every position.
#pragma once

#include <cstdint>

#include "copse/inference/part_index.h"

#ifdef __CUDACC__
#define COPSE_HOST_DEVICE __host__ __device__
#else
#define COPSE_HOST_DEVICE
#endif

namespace copse::python {

// The kinds of parts that the formulas below are for.
constexpr bool is_in_full_layout(PartKind kind) { return kind <= PartKind::grandsibling; }

// Sums over d = 1..k of d and of d², and the sums of these over 0..k.
COPSE_HOST_DEVICE constexpr std::int64_t sum1(std::int64_t k) { return k * (k + 1) / 2; }
COPSE_HOST_DEVICE constexpr std::int64_t sum2(std::int64_t k) { return k * (k + 1) * (2 * k + 1) / 6; }
COPSE_HOST_DEVICE constexpr std::int64_t sum_of_sum1(std::int64_t k) { return k * (k + 1) * (k + 2) / 6; }
COPSE_HOST_DEVICE constexpr std::int64_t sum_of_sum2(std::int64_t k) {
  return k * (k + 1) * (k + 1) * (k + 2) / 12;
}

// The parts of a kind that end in the arcs of distance 1..k on one side of a word (not the root) among n: an
// arc of distance d has d slots for siblings, and n - d grandparents.
template <PartKind kKind>
COPSE_HOST_DEVICE constexpr std::int64_t parts_up_to(std::int64_t n, std::int64_t k) {
  if (kKind == PartKind::arc) return k;
  if (kKind == PartKind::sibling) return sum1(k);
  if (kKind == PartKind::grandchild) return n * k - sum1(k);
  return n * sum1(k) - sum2(k);
}
// The sum of that over k = 0..last.
template <PartKind kKind>
COPSE_HOST_DEVICE constexpr std::int64_t parts_of_sides(std::int64_t n, std::int64_t last) {
  if (kKind == PartKind::arc) return sum1(last);
  if (kKind == PartKind::sibling) return sum_of_sum1(last);
  if (kKind == PartKind::grandchild) return n * sum1(last) - sum_of_sum1(last);
  return n * sum_of_sum1(last) - sum_of_sum2(last);
}
// The root has one grandparent only: itself.
template <PartKind kKind>
COPSE_HOST_DEVICE constexpr std::int64_t parts_of_root(std::int64_t k) {
  return kKind == PartKind::arc || kKind == PartKind::grandchild ? k : sum1(k);
}
// The parts of the heads before `head`: word j has j - 1 words to its left and n - j to its right.
template <PartKind kKind>
COPSE_HOST_DEVICE constexpr std::int64_t parts_before_head(std::int64_t n, std::int64_t head) {
  if (head == 0) return 0;
  return parts_of_root<kKind>(n) + parts_of_sides<kKind>(n, head - 2) + parts_of_sides<kKind>(n, n - 1) -
         parts_of_sides<kKind>(n, n - head);
}
template <PartKind kKind>
COPSE_HOST_DEVICE constexpr std::int64_t parts_of_sentence(std::int64_t n) {
  return parts_before_head<kKind>(n, n + 1);
}

// The parts of one kind that end in one arc: grandparents within slots.
struct ArcParts {
  int words;
  int head;
  int modifier;
  int slots;
  int grandparents;
  std::int64_t begin;

  COPSE_HOST_DEVICE int count() const { return slots * grandparents; }
  // The words of the part in a slot with a grandparent.
  COPSE_HOST_DEVICE PartWords at(int slot, int rank) const {
    const int last = head < modifier ? modifier : head;
    const int grandparent = rank < words - last ? last + 1 + rank : rank - (words - last);
    return {head == 0 ? 0 : grandparent, head, head < modifier ? head + slot : head - slot, modifier};
  }
};

// The arcs of a sentence are numbered by head, then side (left first), then distance.
template <PartKind kKind>
COPSE_HOST_DEVICE inline ArcParts arc_parts(int n, int arc) {
  const int head = arc < n ? 0 : 1 + (arc - n) / (n - 1);
  const int place = arc < n ? arc : (arc - n) % (n - 1);
  const int left = head == 0 ? 0 : head - 1;  // words to the left of the head
  const bool is_left = place < left;
  const int distance = is_left ? place + 1 : place - left + 1;
  const std::int64_t inner =
      head == 0 ? parts_of_root<kKind>(distance - 1)
                : (is_left ? 0 : parts_up_to<kKind>(n, left)) + parts_up_to<kKind>(n, distance - 1);
  return {n,
          head,
          is_left ? head - distance : head + distance,
          has_sibling(kKind) ? distance : 1,
          has_grandparent(kKind) && head != 0 ? n - distance : 1,
          parts_before_head<kKind>(n, head) + inner};
}

}  // namespace copse::python
