#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/features/sentence_parts.h"
#include "copse/model/label_model.h"
#include "learning/fixed_point.h"
#include "learning/label_lists.h"

namespace copse {

// What an arc's labels add to its potential: the sum over all of them, or the best one.
enum class LabelUse : std::uint8_t { sum, best };

// The labels of one training sentence under given weights: what Example needs to know about them. A workspace
// for one thread.
class LabelExample {
 public:
  // Borrows the lists. The weights of labels follow those of other features, of which there are
  // `first_weight`.
  LabelExample(const LabelLists& lists, std::size_t first_weight, double margin, LabelUse use)
      : lists_(&lists), first_weight_(first_weight), margin_(margin), use_(use) {}

  void assign(std::size_t number, const TrainingSentence& sentence);
  void score(std::span<const float> weights);
  void add_to(std::span<double> arc_potentials) const;

  // What the score of the gold labels, given the gold arcs, lacks to what add_to() gave these arcs.
  double gold_shortfall() const;
  // Of the words with the right head.
  int wrong_labels(std::span<const int> heads) const;

  // Sets the coefficients to expected minus gold labels, given those of arcs.
  void expect(std::span<const double> arc_coefficients);
  // Sets the coefficients to the gold labels of the gold tree minus the best labels of another one.
  void compare(std::span<const int> other);

  template <class Add>
  void for_each_coefficient(Add add) {
    sum_labels_of_tuples(parts_.tuples(), coefficients_, tuple_values_);
    const LabelIndex& index = lists_->index();
    const std::size_t labels = index.names.size();
    const std::uint32_t* row = list_->rows.data();
    for (std::size_t tuple = 0; tuple < list_->lengths.size(); ++tuple) {
      const double* values = tuple_values_.data() + tuple * labels;
      for (const std::uint32_t* end = row + list_->lengths[tuple]; row != end; ++row) {
        for (std::uint32_t k = index.starts[*row]; k < index.starts[*row + 1]; ++k) {
          const std::int64_t coefficient = to_fixed_point(values[index.labels[k]]);
          if (coefficient != 0) add(static_cast<std::uint32_t>(first_weight_ + k), coefficient);
        }
      }
    }
  }

  template <class Use>
  void for_each_weight(Use use) const {
    const LabelIndex& index = lists_->index();
    for (const std::uint32_t row : list_->rows) {
      for (std::uint32_t k = index.starts[row]; k < index.starts[row + 1]; ++k) {
        use(static_cast<std::uint32_t>(first_weight_ + k));
      }
    }
  }

 private:
  int gold_arc(std::size_t word) const;

  const LabelLists* lists_;
  std::size_t first_weight_;
  double margin_;
  LabelUse use_;
  const TrainingSentence* sentence_ = nullptr;
  const LabelList* list_ = nullptr;
  SentenceParts parts_;
  std::vector<double> tuple_values_;  // by tuple and label
  ArcLabelScores scores_;
  ArcLabelScores coefficients_;
};

}  // namespace copse
