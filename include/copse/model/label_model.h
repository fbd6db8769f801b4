#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/features/feature_extractor.h"
#include "copse/features/sentence_parts.h"
#include "copse/io/section_file.h"
#include "copse/model/arc_label_scores.h"
#include "copse/model/label_rows.h"

namespace copse {

// The labels of a joint model: a label of an arc is scored by the features of the arc, each of which has a
// weight for some of the labels. Constant once made.
class LabelModel {
 public:
  LabelModel(std::vector<std::string> labels, FeatureExtractor extractor, LabelRows weights);

  const std::vector<std::string>& labels() const { return labels_; }
  const FeatureExtractor& extractor() const { return extractor_; }
  const LabelRows& weights() const { return weights_; }

  // A section of that name.
  void save(SectionFileWriter& file, std::string_view name) const;
  static LabelModel load(const SectionFile& file, std::string_view name);

 private:
  std::vector<std::string> labels_;
  FeatureExtractor extractor_;
  LabelRows weights_;
};

// Sums up what tuples of words give each label: the scores of arcs. `tuples` are those of arcs alone,
// `tuple_scores` has a row of labels per tuple.
void sum_labels_of_arcs(const TupleIndex& tuples, std::span<const double> tuple_scores,
                        ArcLabelScores& scores);
// The adjoint: overwrites the rows of tuples.
void sum_labels_of_tuples(const TupleIndex& tuples, const ArcLabelScores& values,
                          std::span<double> tuple_values);

// Scores the labels of arcs. A workspace for one thread.
class LabelScorer {
 public:
  // Borrows the model.
  explicit LabelScorer(const LabelModel& model) : model_(&model) {}

  // Of all candidates, in the order of an ArcSet of them; no candidates means all arcs.
  void score(const Sentence& sentence, std::span<const Arc> candidates, ArcLabelScores& scores);

 private:
  const LabelModel* model_;
  SentenceFeatures features_;
  SentenceParts parts_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> sums_;
  std::vector<double> tuple_scores_;
};

}  // namespace copse
