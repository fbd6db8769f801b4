#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/breakdown.h"
#include "copse/treebank/sentence.h"
#include "evaluation/calibration.h"
#include "evaluation/evaluator.h"
#include "evaluation/significance.h"
#include "render/comparison_diagram.h"

namespace copse {

struct AnalysisOptions {
  EvaluationOptions evaluation;
  int sentences = 50;  // how many of the worst sentences are kept
  int bins = 10;       // of the reliability diagram
  SignificanceOptions significance;
};

struct NamedFile {
  std::string name;
  std::string path;
};

// How often words with a gold label got a label.
struct LabelPair {
  std::string gold;
  std::string system;
  int64_t words = 0;
  int64_t right_heads = 0;  // of those, how many have the right head
};

struct SystemAnalysis {
  std::string name;
  std::string file;
  Scores scores;
  Significance significance;
  // Of systems that write probabilities.
  std::optional<Calibration> calibration;
  std::vector<ThresholdPoint> precision_curve;  // at kThresholds
  std::vector<ThresholdPoint> coverage_curve;   // at even_thresholds
  // Of scored words with a head, if both sides have labels; the most frequent pairs first.
  std::vector<LabelPair> labels;
};

// What the systems have in common. Words are scored words.
struct Agreement {
  int64_t words = 0;
  int64_t all_right = 0;  // all systems have the right head
  int64_t all_wrong = 0;
  // only_right[a][b]: system a has the right head and b has not.
  std::vector<std::vector<int64_t>> only_right;
};

// A sentence that at least one system got wrong.
struct ComparedSentence {
  int64_t number = 0;  // from 1 on, in the files
  Sentence gold;
  int64_t scored_words = 0;
  struct System {
    Sentence sentence;
    std::vector<ComparedWord> words;  // one per word, and entry 0
    int64_t wrong_heads = 0;          // of scored words
    int64_t wrong_labels = 0;         // of scored words whose head is right
  };
  std::vector<System> systems;
};

// All that was found out, and the settings that it depends on.
struct Analysis {
  std::string gold_file;
  AnalysisOptions options;
  bool has_gold_labels = false;
  std::vector<SystemAnalysis> systems;
  std::vector<Breakdown> breakdowns;  // in the order of Property; without `label` if there are no gold labels
  Agreement agreement;
  // Most wrong heads of all systems together first; then most wrong labels, then as in the files.
  std::vector<ComparedSentence> sentences;

  const Breakdown* breakdown(Property property) const;  // null if there is none
};

// Compares systems with gold trees by what arcs have in common; docs/analysis.md defines everything. Files
// are read and checked as by read_side_by_side, and must have a sentence. There must be a system.
Analysis analyze_files(const NamedFile& gold, std::span<const NamedFile> systems,
                       const AnalysisOptions& options = {});

}  // namespace copse
