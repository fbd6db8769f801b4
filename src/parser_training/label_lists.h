#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/feature_extractor.h"
#include "model/feature_table.h"
#include "model/label_model.h"
#include "parallel/task_pool.h"
#include "parser_training/training_set.h"

namespace copse {

// The labels of arcs, and which features have a weight for which of them. The weights of a feature are
// neighbours: its row.
struct LabelIndex {
  FeatureExtractor extractor;
  std::vector<std::string> names;     // of labels
  RootLabels root;                    // used by models alone: gold labels obey it
  CandidateLabels candidates;         // of arcs
  std::vector<std::uint64_t> hashes;  // of features, by row
  std::vector<std::uint32_t> starts;  // by row: its first weight, and the end
  std::vector<Label> labels;          // by weight
  FeatureTable rows;                  // by hash

  std::size_t size() const { return labels.size(); }
};

// The labels of the sentences, and the weights of the features that gold parts with a label have at least
// `cutoff` times. In a team, each process has its own sentences, and all get the same index.
LabelIndex index_labels(std::span<const TrainingSentence> sentences, FeatureExtractor extractor, int cutoff,
                        TaskPool& pool);

LabelModel make_label_model(const LabelIndex& index, std::span<const float> weights);

// The rows of all tuples of a sentence, tuple after tuple, and the candidate labels of its arcs.
struct LabelList {
  static constexpr int kNoLabel = -1;

  std::vector<std::uint32_t> rows;
  std::vector<std::uint16_t> lengths;         // per tuple: how many of the rows are its own
  std::vector<std::uint32_t> candidate_rows;  // by arc: of the index's lists of candidates, or kAbsent
  std::vector<int> gold;                      // by word: its label, if it has a known one
};

// What the labels of a training set need to know.
class LabelLists {
 public:
  // Borrows the index.
  LabelLists(std::span<const TrainingSentence> sentences, const LabelIndex& index, TaskPool& pool);

  const LabelIndex& index() const { return *index_; }
  const LabelList& operator[](std::size_t sentence) const { return lists_[sentence]; }

 private:
  const LabelIndex* index_;
  std::vector<LabelList> lists_;
};

}  // namespace copse
