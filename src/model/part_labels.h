#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "features/tuple_index.h"
#include "model/label_rows.h"

namespace copse {

// Numbers for the candidate labels of one arc: sums that the tuples of words in the arc's parts contribute,
// and what they add up to in each of the largest parts that end in the arc. A workspace.
class ArcLabelTable {
 public:
  // All numbers are zero at first. Of all labels, candidates have a slot in the rows; they are borrowed.
  void assign(const PartIndex& parts, int arc, std::span<const Label> candidates, std::size_t all_labels);

  std::size_t candidates() const { return candidates_; }
  // Of a row in memory: the candidates' numbers, and that of all others.
  std::size_t width() const { return width_; }
  int parts() const { return slots_ * lanes_; }

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
    use_all(Scope::arc, arc_, 1);
    if (has_siblings(factorization_)) use_all(Scope::sibling, first_sibling_, slots_);
    if (has_grandparents(factorization_)) use_all(Scope::grandchild, first_grandchild_, lanes_);
    if (factorization_ == Factorization::grandsibling) {
      use_all(Scope::grandsibling, first_grandsibling_, slots_ * lanes_);
    }
  }
  // Head and modifier have tuples that several arcs share; `shared` has a row of all labels for each of them.
  // Adds what they give the candidates to the arc's row, or, the adjoint, the arc's row to theirs.
  void add_shared(const TupleIndex& tuples, std::span<const double> shared);
  void add_to_shared(const TupleIndex& tuples, std::span<double> shared) const;
  // The row of the arc's own tuple.
  std::span<double> arc_row() { return {rows_.data(), candidates_}; }

  // Sets, for every largest part and candidate, the sum over the tuples that the part contains.
  void to_parts(std::span<double> part_values) const;
  // The adjoint: overwrites the rows of all tuples.
  void to_tuples(std::span<const double> part_values);

 private:
  // Where rows begin: that of the arc, then those of siblings, of grandchildren, and of both.
  std::size_t sibling_row(int slot) const { return (1 + static_cast<std::size_t>(slot)) * width_; }
  std::size_t grandchild_row(int lane) const {
    const int before = 1 + (has_siblings(factorization_) ? slots_ : 0);
    return static_cast<std::size_t>(before + lane) * width_;
  }
  std::size_t grandsibling_row(int part) const {
    return static_cast<std::size_t>(1 + slots_ + lanes_ + part) * width_;
  }
  // Calls use(part, row) for all rows that a part's labels depend on.
  template <class Use>
  void for_each_row(Use use) const {
    for (int part = 0; part < slots_ * lanes_; ++part) {
      use(part, 0);
      if (has_siblings(factorization_)) use(part, sibling_row(part / lanes_));
      if (has_grandparents(factorization_)) use(part, grandchild_row(part % lanes_));
      if (factorization_ == Factorization::grandsibling) use(part, grandsibling_row(part));
    }
  }

  Factorization factorization_ = Factorization::first;
  int arc_ = 0;
  int slots_ = 1;
  int lanes_ = 1;
  PartIndex::Position first_sibling_ = 0;
  PartIndex::Position first_grandchild_ = 0;
  PartIndex::Position first_grandsibling_ = 0;
  std::span<const Label> labels_;  // the candidates
  std::size_t candidates_ = 0;
  std::size_t width_ = 1;
  std::vector<std::uint16_t> slot_;  // by label
  std::vector<double> rows_;
};

}  // namespace copse
