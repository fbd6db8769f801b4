#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "features/feature_extractor.h"
#include "io/section_file.h"
#include "model/candidate_labels.h"
#include "model/label_rows.h"
#include "model/part_labels.h"
#include "model/potential_source.h"

namespace copse {

// The keys of arcs under which their candidate labels are found: the tags of both words, their coarse tags,
// and the modifier's tag alone. A workspace.
class ArcLabelKeys {
 public:
  void assign(const Sentence& sentence, CoarseRule rule);
  std::array<std::uint64_t, 4> operator()(Arc arc) const;

 private:
  std::vector<std::uint64_t> fine_;  // by word
  std::vector<std::uint64_t> coarse_;
};

// The labels of a joint model: a label of an arc is scored by the features of all parts that end in the arc,
// each of which has a weight for some of the labels. Constant once made.
class LabelModel {
 public:
  LabelModel(std::vector<std::string> labels, RootLabels root, FeatureExtractor extractor,
             CandidateLabels candidates, LabelRows weights);

  const std::vector<std::string>& labels() const { return labels_; }
  const FeatureExtractor& extractor() const { return extractor_; }
  const CandidateLabels& candidates() const { return candidates_; }
  const LabelRows& weights() const { return weights_; }
  // Of an arc of the sentence that the keys are of.
  std::span<const Label> candidates_of(const ArcLabelKeys& keys, Arc arc) const {
    return candidates_.find(keys(arc), place_of_arc(arc.head));
  }

  // A section of that name.
  void save(SectionFileWriter& file, std::string_view name) const;
  static LabelModel load(const SectionFile& file, std::string_view name);

 private:
  std::vector<std::string> labels_;
  RootLabels root_;
  FeatureExtractor extractor_;
  CandidateLabels candidates_;
  LabelRows weights_;
};

// Scores the labels of arcs. A workspace for one thread.
class LabelScorer {
 public:
  // Borrows the model.
  explicit LabelScorer(const LabelModel& model) : model_(&model) {}

  // Keeps a reference to `tuples`, which are those of parts of the model's factorization. Scores are
  // multiplied by `factor`.
  void assign(const Sentence& sentence, const TupleIndex& tuples, double factor);
  // Lasts until the next arc.
  ArcLabels score(int arc);

 private:
  void score_shared_tuples();
  template <class Add>
  void add_rows(std::span<const std::uint64_t> hashes, Add add);

  const LabelModel* model_;
  const TupleIndex* tuples_ = nullptr;
  double unit_ = 1.0;
  SentenceFeatures features_;
  ArcLabelKeys keys_;
  ArcLabelTable table_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::size_t> ends_;    // by tuple of an arc: where its hashes end
  std::vector<std::uint32_t> rows_;  // by hash
  std::vector<double> shared_;       // by tuple of a head or modifier, and label
  std::vector<double> scores_;
};

}  // namespace copse
