// Several terms of a sum at once: a thread with one load on its way at a time does nothing but wait.
#pragma once

#include "batch/cuda/chart_numbers.h"

namespace copse {

// Where lanes are threads, a thread has so many terms on their way at once.
inline constexpr int kTermsAtOnce = 4;

// Calls push(first term, number of terms) for terms from `first` to `last`, kCount at once (or every `step`th
// of them, one at a time).
template <int kCount, class Push>
COPSE_DEVICE void for_terms(int first, int last, int step, Push push) {
  COPSE_KEEP_LOOP
  for (int i = first; i < last; i += kCount * step) {
    push(i, kCount == 1 || last - i > kCount ? kCount : last - i);
  }
}
// One of `count` terms that begin with `first`; the last one again for those that are missing.
COPSE_DEVICE int term_at(int first, int count, int j) { return first + (j < count ? j : count - 1); }

// Sums over the tile of several numbers that each thread has. Threads hand on half of what they have and keep
// the other half, until each has one number left: that takes as many exchanges as there are numbers, and not
// that many for each. A thread then owns these of them:
struct OwnedSums {
  int first;
  int count;  // 1, but for tiles with fewer threads than numbers; 0: another thread has the same
};
template <int kCount, class Group>
COPSE_DEVICE OwnedSums owned_sums(const Group& group) {
  static_assert((kCount & (kCount - 1)) == 0);
  OwnedSums owned{0, kCount};
  COPSE_UNROLL
  for (int offset = 1; offset < group.tile_size() && offset < kCount; offset *= 2) {
    owned.count /= 2;
    if ((group.rank() & offset) != 0) owned.first += owned.count;
  }
  if (group.rank() >= kCount) owned.count = 0;
  return owned;
}
// Afterwards numbers[i] is the sum of what was numbers[first + i].
template <int kCount, class Group>
COPSE_DEVICE void sum_over_tile(const Group& group, double (&numbers)[kCount]) {
  int count = kCount;
  COPSE_UNROLL
  for (int offset = 1; offset < group.tile_size(); offset *= 2) {
    if (count == 1) {
      numbers[0] += group.shuffle_xor(numbers[0], offset);
      continue;
    }
    count /= 2;
    const bool keeps_upper = (group.rank() & offset) != 0;
    COPSE_UNROLL
    for (int i = 0; i < kCount / 2; ++i) {
      if (i >= count) break;
      const double given = keeps_upper ? numbers[i] : numbers[i + count];
      const double kept = keeps_upper ? numbers[i + count] : numbers[i];
      numbers[i] = kept + group.shuffle_xor(given, offset);
    }
  }
}
// numbers[i], without memory for it.
template <class T, int kCount>
COPSE_DEVICE T pick(const T (&numbers)[kCount], int i) {
  T picked = numbers[0];
  COPSE_UNROLL
  for (int j = 1; j < kCount; ++j) picked = i == j ? numbers[j] : picked;
  return picked;
}

// Numbers that get the sums over a tile (or, without kOverTile, of a thread) of up to kCount terms, each from
// one thread. They are loaded along with what the sums are made of; for terms that are missing nothing is,
// because another thread is about to write what stands in their place.
template <int kCount>
struct SumTargets {
  OwnedSums owned;
  double before[kCount];
};
template <bool kOverTile, int kCount, class Group>
COPSE_DEVICE SumTargets<kCount> load_targets(const Group& group, const double* to, const int (&at)[kCount],
                                             int count) {
  SumTargets<kCount> targets;
  targets.owned = kOverTile ? owned_sums<kCount>(group) : OwnedSums{0, kCount};
  COPSE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    const int term = targets.owned.first + i;
    targets.before[i] = i < targets.owned.count && term < count ? to[pick(at, term)] : 0.0;
  }
  return targets;
}
// Calls store(j, sum of sums[j], number before) for each.
template <bool kOverTile, int kCount, class Group, class Store>
COPSE_DEVICE void add_sums(const Group& group, const SumTargets<kCount>& targets, double (&sums)[kCount],
                           Store store) {
  if constexpr (kOverTile) sum_over_tile(group, sums);
  COPSE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    if (i < targets.owned.count) store(targets.owned.first + i, sums[i], targets.before[i]);
  }
}

}  // namespace copse
