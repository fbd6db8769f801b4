// What a sentence's candidate arcs mean for its charts, as tables of integers that the GPU reads. All arcs of
// a number of words have the same tables: these are made once and kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse {

// Where the numbers of an arc h → m lie. Items are rows with a lane for each candidate parent of their head
// (in the cyclic order of PartIndex), or one lane if no part has a grandparent.
//   complete    C(h, e)[lane] at complete_begin(h) + e * row(h) + lane
//   incomplete  I(h → m)[lane] at incomplete_begin + lane
//   join        J(a, b)[lane], a < b: as C(b, a)[lane] in an array of its own
struct alignas(16) ArcEntry {
  std::int32_t modifier;
  std::int32_t under_begin;       // of C(m, 0)[lane of h]
  std::int32_t modifier_row;      // lanes of m
  std::int32_t incomplete_begin;  // of I(h → m)[0]
};

// A view: the memory is the host's or the GPU's.
struct ChartTables {
  std::int32_t words;
  std::int32_t arcs;
  std::int32_t complete_count;
  std::int32_t incomplete_count;
  double log_tree_count_bound;  // see TreeDistribution: what the proof of safety needs
  const ArcEntry* entries;
  const std::int32_t* heads;           // per arc
  const std::int32_t* arc_of;          // [head][modifier]: the arc, or -1
  const std::int32_t* outgoing;        // boundaries of arcs, two per head: left, right
  const std::int32_t* incoming;        // boundaries in incoming_arcs, by modifier
  const std::int32_t* incoming_arcs;   // by modifier
  const std::int32_t* lane_of;         // per arc: the lane of its head among those of its modifier
  const std::int32_t* row;             // per head: number of lanes
  const std::int32_t* complete_begin;  // per head
  const std::int32_t* lanes;           // [head][end]: first lane outside the span | one past the last << 16
  const std::int32_t* last_within;     // [head][end]: one past the last arc of the head in the span to end
  const std::int32_t* lane_heads;      // as rows of C(h, 0): at lane_begin[h] + lane the parent
  const std::int32_t* lane_begin;
  const std::int32_t* sibling_begin;  // per arc; those of absent kinds are null
  const std::int32_t* grandchild_begin;
  const std::int64_t* grandsibling_begin;
};

// The memory of one sentence's tables, relative to a base that can be copied anywhere.
class ChartTableData {
 public:
  // False if numbers of four bytes do not suffice for the charts or parts of this sentence.
  bool assign(const PartIndex& parts);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  // The tables, once the bytes lie at `base` (aligned to 16).
  ChartTables at(const std::byte* base) const;

 private:
  template <class T>
  std::size_t append(const std::vector<T>& numbers);

  std::vector<std::byte> bytes_;
  ChartTables sizes_{};
  bool has_siblings_ = false;
  bool has_grandparents_ = false;
  bool has_grandsiblings_ = false;
  struct Places {
    std::size_t entries, heads, arc_of, outgoing, incoming, incoming_arcs, lane_of, row, complete_begin,
        lanes, last_within, lane_heads, lane_begin, sibling_begin, grandchild_begin, grandsibling_begin;
  } places_{};
};

}  // namespace copse
