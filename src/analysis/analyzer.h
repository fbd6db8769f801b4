#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/breakdown_counter.h"
#include "analysis/structure.h"

namespace copse {

// Takes sentences one after the other, and keeps numbers and the worst sentences only.
class Analyzer {
 public:
  Analyzer(size_t systems, const AnalysisOptions& options);

  // Gold trees are free of cycles. All must have the same number of words, else DataError.
  void add(const Sentence& gold, std::span<const Sentence* const> systems);

  // Without the names of files and systems.
  Analysis result() const;

 private:
  using LabelNames = std::pair<std::string, std::string>;

  // All that is to know of the bins of one word's arc in one tree.
  struct ArcBins {
    int dependency_length;
    int root_distance;
    int siblings;
    int modifiers;
    int direction;
    int projectivity;
    int label;
  };

  ArcBins arc_bins(const Sentence& sentence, int word, const TreeStructure& structure);
  std::vector<ComparedWord> verdicts(const Sentence& gold, const Sentence& system) const;
  void count_system(size_t system, const Sentence& gold, const Sentence& analysis,
                    std::span<const ComparedWord> words);
  void count_agreement(const Sentence& gold, std::span<const ComparedSentence::System> systems);
  void keep_if_bad(ComparedSentence compared, const Sentence& gold, std::span<const Sentence* const> systems);
  std::vector<LabelPair> label_pairs(size_t system) const;
  BreakdownCounter& counter(Property property) { return counters_[static_cast<size_t>(property)]; }

  AnalysisOptions options_;
  std::vector<Evaluator> evaluators_;
  std::vector<BreakdownCounter> counters_;  // in the order of Property
  struct LabelCounts {
    int64_t words = 0;
    int64_t right_heads = 0;
  };
  std::vector<std::map<LabelNames, LabelCounts>> labels_;  // by system
  Agreement agreement_;
  bool has_gold_labels_ = false;
  int64_t sentences_ = 0;
  TreeStructure gold_structure_;

  struct Better {
    bool operator()(const ComparedSentence& left, const ComparedSentence& right) const;
  };
  std::set<ComparedSentence, Better> worst_;  // the best of them first
};

}  // namespace copse
