#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "optimisers/fixed_point.h"
#include "parser_training/feature_lists.h"
#include "parser_training/label_example.h"
#include "parser_training/training_set.h"
#include "parser_training/tree_loss.h"

namespace copse {

// One training sentence under given weights of hashed features: potentials out of weights, and the
// derivatives of the loss by potentials (TreeLoss) back to the weights. A workspace for one thread.
class Example {
 public:
  // Borrows the lists. `margin` is added to the score of every arc that contradicts the gold tree.
  Example(const FeatureLists& lists, TreeSpace trees, double margin = 0.0, LabelUse labels = LabelUse::sum)
      : lists_(&lists),
        lister_(lists.extractor(), lists.index()),
        factorization_(lists.extractor().factorization()),
        margin_(margin),
        loss_(trees) {
    if (lists.labels() != nullptr) labels_.emplace(*lists.labels(), lists.index().size(), margin, labels);
  }

  // By its number in the lists.
  void assign(std::size_t sentence);
  const TrainingSentence& sentence() const { return *sentence_; }
  const FeatureList& list() const { return *list_; }

  // Makes the distribution of the sentence under these weights.
  void score(std::span<const float> weights);
  TreeDistribution& distribution() { return loss_.distribution(); }

  // Minus the log-probability of the gold tree, or of all trees that agree with a partial one, labels
  // included. Sets the coefficients to expected minus gold parts: the gradient, in terms of parts.
  double log_loss();

  // The gold tree; for a partial one, the best tree that agrees with it. After score().
  void gold_tree(std::vector<int>& heads) { loss_.gold_tree(heads); }

  // The score of the gold tree, labels included. After score().
  double gold_score(std::span<const int> gold_tree);
  // How many words have the right head, but not the right label.
  int wrong_labels(std::span<const int> heads) const { return labels_ ? labels_->wrong_labels(heads) : 0; }

  // Sets the coefficients to the parts of the gold tree minus those of `other`.
  void compare(std::span<const int> gold_tree, std::span<const int> other);

  // Calls add(feature, coefficient) for every feature of the sentence, with what the parts that have it sum
  // up to. The same feature may come several times. Coefficients are in fixed point; those that vanish in it
  // are left out.
  template <class Add>
  void for_each_coefficient(Add add) {
    parts_.tuples().to_tuples(loss_.coefficients(), tuple_values_);
    const std::uint32_t* feature = list_->features.data();
    for (std::size_t tuple = 0; tuple < tuple_values_.size(); ++tuple) {
      const std::uint32_t* end = feature + list_->lengths[tuple];
      const std::int64_t coefficient = to_fixed_point(tuple_values_[tuple]);
      if (coefficient != 0) {
        for (; feature != end; ++feature) add(*feature, coefficient);
      }
      feature = end;
    }
    if (labels_) labels_->for_each_coefficient(add);
  }

  // Calls use(weight) for all weights that the sentence has to do with, some of them several times.
  template <class Use>
  void for_each_weight(Use use) const {
    for (const std::uint32_t feature : list_->features) use(feature);
    if (labels_) labels_->for_each_weight(use);
  }

 private:
  const FeatureLists* lists_;
  FeatureLister lister_;
  FeatureList own_list_;  // if the sentence's is not kept
  Factorization factorization_;
  double margin_;
  const TrainingSentence* sentence_ = nullptr;
  const FeatureList* list_ = nullptr;
  SentenceParts parts_;
  std::vector<double> tuple_values_;
  Potentials potentials_;
  Potentials gold_potentials_;  // with the labels that are known
  TreeLoss loss_;
  std::optional<LabelExample> labels_;
};

}  // namespace copse
