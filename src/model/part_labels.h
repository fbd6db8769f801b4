#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "features/tuple_index.h"
#include "model/label_rows.h"

namespace copse {

// Numbers for the candidate labels of one arc: sums that the tuples of words in the arc's parts contribute,
// and what they add up to in each of the labelled parts that end in the arc. A workspace.
class ArcLabelTable {
 public:
  // All numbers are zero at first. Of all labels, candidates have a slot in the rows; they are borrowed.
  void assign(const PartIndex& parts, int arc, std::span<const Label> candidates, std::size_t all_labels);

  std::size_t candidates() const { return candidates_; }
  // Of a row in memory: the candidates' numbers, and that of all others.
  std::size_t width() const { return width_; }
  int parts() const { return slots_ * grandparents_; }

  // Where the number of a label stands in a row. Labels that are no candidates share a place of their own at
  // the end.
  std::size_t slot(Label label) const { return slot_[label]; }

  // Calls use(scope, tuple, row) for the tuples that belong to this arc alone.
  template <class Use>
  void for_each_tuple(const TupleIndex& tuples, Use use) {
    double* row = rows_.data();
    const auto use_all = [&](Scope scope, PartIndex::Position first, int count) {
      for (int k = 0; k < count; ++k, row += width_) {
        use(scope, tuples.begin(scope) + static_cast<int>(first) + k, row);
      }
    };
    for (const Block& block : blocks()) use_all(own_scope(block.kind), block.first_part, block.rows);
  }
  // Head and modifier have tuples that several arcs share; `shared` has a row of all labels for each of them.
  // Adds what they give the candidates to the arc's row, or, the adjoint, the arc's row to theirs.
  void add_shared(const TupleIndex& tuples, std::span<const double> shared);
  void add_to_shared(const TupleIndex& tuples, std::span<double> shared) const;
  // The row of the arc's own tuple.
  std::span<double> arc_row() { return {rows_.data(), candidates_}; }

  // Sets, for every labelled part and candidate, the sum over the tuples that the part contains.
  void to_parts(std::span<double> part_values) const;
  // The adjoint: overwrites the rows of all tuples.
  void to_tuples(std::span<const double> part_values);

 private:
  // The rows of the tuples of one kind of parts: [slot][grandparent], or one of them, or one row alone.
  struct Block {
    PartKind kind;
    PartIndex::Position first_part;
    int first_row;
    int rows;
  };
  std::span<const Block> blocks() const { return std::span(blocks_).first(block_count_); }

  // Calls use(part, row) for all rows that a part's labels depend on.
  template <class Use>
  void for_each_row(Use use) const {
    for (int slot = 0; slot < slots_; ++slot) {
      for (int place = 0; place < grandparents_; ++place) {
        for (const Block& block : blocks()) {
          const int of_slot = !has_sibling(block.kind)      ? 0
                              : has_grandparent(block.kind) ? slot * grandparents_
                                                            : slot;
          const int of_grandparent = has_grandparent(block.kind) ? place : 0;
          use(slot * grandparents_ + place,
              static_cast<std::size_t>(block.first_row + of_slot + of_grandparent) * width_);
        }
      }
    }
  }

  int arc_ = 0;
  int slots_ = 1;
  int grandparents_ = 1;
  std::array<Block, kPartKinds> blocks_{};
  std::size_t block_count_ = 0;
  std::span<const Label> labels_;  // the candidates
  std::size_t candidates_ = 0;
  std::size_t width_ = 1;
  std::vector<std::uint16_t> slot_;  // by label
  std::vector<double> rows_;
};

}  // namespace copse
