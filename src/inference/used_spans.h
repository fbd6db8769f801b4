// Which candidate arcs and complete spans occur in trees. With few candidates a word most spans occur in
// none: nothing can be built that fits to them. The sweeps leave those out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/arc_set.h"
#include "copse/inference/factorization.h"

namespace copse {

// Sets of words, the root among them, as rows of bits.
using Bits = std::uint64_t;
inline constexpr int kBits = 64;
constexpr unsigned place_of(int word) { return static_cast<unsigned>(word) % kBits; }
constexpr Bits bit_of(int word) { return Bits{1} << place_of(word); }

// Where two complete spans that face each other may meet, if both are used.
struct UsedMiddles {
  const Bits* right_ends;  // of the spans of the left word
  const Bits* left_ends;   // of the spans of the right word
  int left;
  int right;
};

class UsedSpans {
 public:
  // Of an arc: no tree can be built with it even below its head; one below its head; a whole one.
  enum Mark : std::uint8_t { kImpossible, kPossible, kUsed };

  // Sets of words, one after the other for all words. Spans without width are always in them.
  struct Sets {
    Bits* right_ends;       // by head
    Bits* left_ends;        // by head
    Bits* right_heads;      // of spans to the right, by end
    Bits* right_modifiers;  // by head
  };

  UsedSpans() = default;
  UsedSpans(const UsedSpans&) = delete;
  UsedSpans& operator=(const UsedSpans&) = delete;

  // Everything.
  void assign_all(const ArcSet& arcs);
  // `allowed`: per arc; empty means all. With `siblings`, what stands between two neighbouring modifiers is
  // known to be theirs, so that fewer spans are used.
  void assign(const ArcSet& arcs, std::span<const std::uint8_t> allowed, RootMode root, bool siblings);

  bool has_tree() const { return has_tree_; }
  bool has_all_arcs() const { return has_all_arcs_; }
  // One for each arc.
  const std::uint8_t* marks() const { return marks_.data(); }
  // Complete spans that can be built, and those among them that are used.
  const Sets& possible() const { return possible_; }
  const Sets& used() const { return used_; }
  // By head, the ends to both sides that are asked for when used spans around it are built.
  const Bits* asked_ends() const { return asked_; }
  // Numbers that a set consists of.
  int stride() const { return stride_; }

 private:
  template <bool kOneNumber>
  class Search;

  void resize(const ArcSet& arcs);

  int stride_ = 0;
  std::vector<Bits> memory_;
  Sets possible_{};
  Sets used_{};
  Bits* asked_ = nullptr;
  std::vector<std::uint8_t> marks_;
  bool has_tree_ = false;
  bool has_all_arcs_ = false;
};

}  // namespace copse
