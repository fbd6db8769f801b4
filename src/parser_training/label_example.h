#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "model/part_labels.h"
#include "optimisers/fixed_point.h"
#include "parser_training/label_lists.h"

namespace copse {

// What the labels of a part's last arc add to its potential: the sum over all of them, or the best one.
enum class LabelUse : std::uint8_t { sum, best };

// The labels of one training sentence under given weights: what Example needs to know about them. Labels are
// chosen in the labelled parts, which contain all that their scores depend on. A workspace for one thread.
class LabelExample {
 public:
  // Borrows the lists. The weights of labels follow those of other features, of which there are
  // `first_weight`.
  LabelExample(const LabelLists& lists, std::size_t first_weight, double margin, LabelUse use)
      : lists_(&lists), first_weight_(first_weight), margin_(margin), use_(use) {}

  // Keeps a reference to `parts`, which are those of the sentence.
  void assign(std::size_t number, const TrainingSentence& sentence, const SentenceParts& parts);
  void score(std::span<const float> weights);
  // To the potentials of labelled parts.
  void add_to(std::vector<double>& potentials) const;
  // Of potentials that have been added to: takes away all labels that contradict the known ones.
  void restrict_to_gold(std::vector<double>& potentials) const;

  // What the score of the gold labels in a tree with all gold arcs lacks to what add_to() gave to its parts.
  double gold_shortfall(std::span<const int> gold_tree) const;
  // Of the words with the right head.
  int wrong_labels(std::span<const int> heads) const;

  // Sets the coefficients to expected minus gold labels, given those of labelled parts, and how much of them
  // is gold.
  void expect(std::span<const double> part_coefficients, std::span<const double> gold_parts);
  // Sets the coefficients to the gold labels of the gold tree minus the best labels of another one.
  void compare(std::span<const int> gold_tree, std::span<const int> other);

  template <class Add>
  void for_each_coefficient(Add add) {
    const LabelIndex& index = lists_->index();
    const TupleIndex& tuples = parts_->tuples();
    const std::size_t labels = index.names.size();
    const auto add_row = [&](int tuple, auto coefficient_of) {
      for (const std::uint32_t row : rows_of(tuple)) {
        for (std::uint32_t k = index.starts[row]; k < index.starts[row + 1]; ++k) {
          const std::int64_t coefficient = coefficient_of(index.labels[k]);
          if (coefficient != 0) add(static_cast<std::uint32_t>(first_weight_ + k), coefficient);
        }
      }
    };
    std::fill(shared_.begin(), shared_.end(), 0.0);
    for (int arc = 0; arc < parts_->arcs().size(); ++arc) {
      if (is_used_[static_cast<std::size_t>(arc)] == 0) continue;
      assign_table(arc);
      table_.to_tuples(block(coefficients_, arc));
      table_.add_to_shared(tuples, shared_);
      fixed_.assign(table_.width(), 0);  // the last one stays 0
      table_.for_each_tuple(tuples, [&](Scope, int tuple, const double* row) {
        std::int64_t any = 0;
        for (std::size_t k = 0; k < table_.candidates(); ++k) any |= fixed_[k] = to_fixed_point(row[k]);
        if (any != 0) add_row(tuple, [&](Label label) { return fixed_[table_.slot(label)]; });
      });
    }
    for (std::size_t tuple = 0; tuple < static_cast<std::size_t>(tuples.begin(Scope::arc)); ++tuple) {
      fixed_.resize(labels);
      std::transform(shared_.begin() + static_cast<std::ptrdiff_t>(tuple * labels),
                     shared_.begin() + static_cast<std::ptrdiff_t>((tuple + 1) * labels), fixed_.begin(),
                     to_fixed_point);
      add_row(static_cast<int>(tuple), [&](Label label) { return fixed_[label]; });
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
  std::span<const std::uint32_t> rows_of(int tuple) const {
    const auto at = static_cast<std::size_t>(tuple);
    return std::span(list_->rows).subspan(row_starts_[at], row_starts_[at + 1] - row_starts_[at]);
  }
  std::span<const Label> candidates(int arc) const {
    return lists_->index().candidates.list(list_->candidate_rows[static_cast<std::size_t>(arc)]);
  }
  void assign_table(int arc);
  void score_shared_tuples(const float* weights);
  int gold_arc(std::size_t word) const;

  // The numbers of an arc's parts and candidates, and of one part.
  std::span<double> block(std::vector<double>& values, int arc) const {
    const auto at = static_cast<std::size_t>(arc);
    return std::span(values).subspan(block_starts_[at], block_starts_[at + 1] - block_starts_[at]);
  }
  std::span<const double> scores_of(int arc, PartIndex::Position part) const;

  // A labelled part of a tree, by the word in which it ends.
  struct TreePart {
    int arc;
    PartIndex::Position part;
  };
  template <class Use>
  void for_each_labelled_part(std::span<const int> heads, Use use) const;
  std::span<double> coefficients_of(const TreePart& place);

  const LabelLists* lists_;
  std::size_t first_weight_;
  double margin_;
  LabelUse use_;
  const TrainingSentence* sentence_ = nullptr;
  const LabelList* list_ = nullptr;
  const SentenceParts* parts_ = nullptr;
  std::vector<std::uint32_t> row_starts_;  // by tuple, and the end
  std::vector<std::size_t> block_starts_;  // by arc, and the end
  std::vector<int> gold_slots_;            // by word: where its gold label stands among the candidates
  std::vector<double> scores_;             // by arc, part and candidate
  std::vector<double> part_sums_;          // by labelled part: what its labels give
  std::vector<double> probabilities_;      // like the scores, if labels are summed over
  std::vector<double> coefficients_;       // like the scores
  std::vector<std::uint8_t> is_used_;      // by arc: whether it has any coefficient
  std::vector<double> shared_;             // by tuple of a head or modifier, and label
  std::vector<std::int64_t> fixed_;
  ArcLabelTable table_;
};

}  // namespace copse
