#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// Words are 1..n, the root is 0.
struct Arc {
  int head;
  int modifier;
  friend bool operator==(const Arc&, const Arc&) = default;
};

enum class Side : std::uint8_t { left, right };

// The candidate arcs of a sentence: the heads that each word may have. All arcs are one such set; what a
// pruning model leaves, what a user insists on, and partial annotation are others.
//
// Arcs are numbered by head, then side (left first), then distance from the head. So the siblings that can
// stand between a head and a modifier have consecutive numbers, nearest first.
class ArcSet {
 public:
  static constexpr int kNone = -1;

  struct Range {
    int first;
    int last;  // one past the end
    int size() const { return last - first; }
  };

  // Every head 0..n for every word 1..n but itself. Memory of earlier, larger sentences is kept for reuse.
  // Throws std::length_error above 46,340 words: arcs are numbered by int. So does assign() for more arcs.
  void assign_all(int words);
  // Exactly these arcs, in any order, repetitions allowed. Throws std::invalid_argument for an arc that
  // enters the root, is a self-loop or leaves the sentence.
  void assign(int words, std::span<const Arc> arcs);

  int words() const { return words_; }
  int size() const { return static_cast<int>(arcs_.size()); }
  // Whether every possible arc is in the set.
  bool is_full() const { return size() == std::int64_t{words_} * words_; }

  const Arc& operator[](int arc) const { return arcs_[arc]; }
  std::span<const Arc> all() const { return arcs_; }
  // The arc's number, or kNone.
  int find(int head, int modifier) const;
  // Arcs that leave `head` on one side, nearest modifier first.
  Range outgoing(int head, Side side) const {
    const int boundary = 2 * head + (side == Side::right ? 1 : 0);
    return {outgoing_[boundary], outgoing_[boundary + 1]};
  }
  // Arcs that enter `modifier`, by ascending head.
  std::span<const int> incoming(int modifier) const {
    return {incoming_arcs_.data() + incoming_[modifier],
            static_cast<std::size_t>(incoming_[modifier + 1] - incoming_[modifier])};
  }
  // Position of the arc among the arcs that enter the same modifier.
  int incoming_rank(int arc) const { return incoming_rank_[arc]; }
  // Position of the arc among the arcs that leave the same head on the same side.
  int outgoing_rank(int arc) const { return arc - outgoing(arcs_[arc].head, side(arcs_[arc])).first; }

  static Side side(const Arc& arc) { return arc.modifier < arc.head ? Side::left : Side::right; }

 private:
  void index();

  int words_ = 0;
  std::vector<Arc> arcs_;
  std::vector<int> outgoing_;       // boundaries, two per head
  std::vector<int> incoming_;       // boundaries, one per modifier
  std::vector<int> incoming_arcs_;  // arc numbers grouped by modifier
  std::vector<int> incoming_rank_;
};

}  // namespace copse
