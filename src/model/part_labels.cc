#include "model/part_labels.h"

#include <cmath>

namespace copse {

void ArcLabelTable::assign(const PartIndex& parts, int arc, std::span<const Label> candidates,
                           std::size_t all_labels) {
  arc_ = arc;
  slots_ = parts.slots(arc);
  const PartKind labelled = labelled_kind(parts.factorization());
  grandparents_ = has_grandparent(labelled) ? parts.grandparent_count(arc) : 1;
  int rows = 0;
  block_count_ = 0;
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (kind > labelled) continue;
    const int own = (has_sibling(kind) ? slots_ : 1) * (has_grandparent(kind) ? grandparents_ : 1);
    blocks_[block_count_++] = {kind, parts.begin(kind, arc), rows, own};
    rows += own;
  }
  labels_ = candidates;
  candidates_ = candidates.size();
  width_ = candidates_ + 1;
  slot_.assign(all_labels, static_cast<std::uint16_t>(candidates_));
  for (std::size_t k = 0; k < candidates_; ++k) slot_[candidates[k]] = static_cast<std::uint16_t>(k);
  rows_.assign(static_cast<std::size_t>(rows) * width_, 0.0);
}

void ArcLabelTable::add_shared(const TupleIndex& tuples, std::span<const double> shared) {
  const auto [of_head, of_modifier, own] = tuples.tuples_of_arc(arc_);
  const double* head = shared.data() + static_cast<std::size_t>(of_head) * slot_.size();
  const double* modifier = shared.data() + static_cast<std::size_t>(of_modifier) * slot_.size();
  for (std::size_t k = 0; k < candidates_; ++k) rows_[k] += head[labels_[k]] + modifier[labels_[k]];
}

void ArcLabelTable::add_to_shared(const TupleIndex& tuples, std::span<double> shared) const {
  const auto [of_head, of_modifier, own] = tuples.tuples_of_arc(arc_);
  double* head = shared.data() + static_cast<std::size_t>(of_head) * slot_.size();
  double* modifier = shared.data() + static_cast<std::size_t>(of_modifier) * slot_.size();
  for (std::size_t k = 0; k < candidates_; ++k) {
    head[labels_[k]] += rows_[k];
    modifier[labels_[k]] += rows_[k];
  }
}

void ArcLabelTable::to_parts(std::span<double> part_values) const {
  std::fill(part_values.begin(), part_values.end(), 0.0);
  for_each_row([&](int part, std::size_t row) {
    double* values = part_values.data() + static_cast<std::size_t>(part) * candidates_;
    for (std::size_t k = 0; k < candidates_; ++k) values[k] += rows_[row + k];
  });
}

void ArcLabelTable::to_tuples(std::span<const double> part_values) {
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for_each_row([&](int part, std::size_t row) {
    const double* values = part_values.data() + static_cast<std::size_t>(part) * candidates_;
    for (std::size_t k = 0; k < candidates_; ++k) rows_[row + k] += values[k];
  });
}

}  // namespace copse
