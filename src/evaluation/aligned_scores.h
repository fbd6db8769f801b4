#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"
#include "copse/treebank/sentence.h"

namespace copse {

// What the CoNLL 2018 shared task measured. docs/evaluation.md defines each of them.
enum class AlignedMeasure : uint8_t {
  tokens,
  sentences,
  words,
  upos,
  xpos,
  ufeats,
  all_tags,
  lemmas,
  uas,
  las,
  clas,
  mlas,
  blex,
};

// In the order of AlignedMeasure.
inline constexpr std::array<std::string_view, 13> kAlignedMeasureNames = {
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
    "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX"};

// Numbers of tokens, sentences or words. Shares of nothing are 0, as in the shared task.
struct AlignedScore {
  int64_t correct = 0;
  int64_t gold = 0;
  int64_t system = 0;
  std::optional<int64_t> aligned;  // of the gold ones; only where what is compared are aligned words

  double precision() const;
  double recall() const;
  double f1() const;
  std::optional<double> aligned_accuracy() const;

  bool operator==(const AlignedScore&) const = default;
};

class AlignedScores {
 public:
  AlignedScore& operator[](AlignedMeasure measure) { return scores_[static_cast<size_t>(measure)]; }
  const AlignedScore& operator[](AlignedMeasure measure) const {
    return scores_[static_cast<size_t>(measure)];
  }
  // In the order of AlignedMeasure.
  std::span<const AlignedScore> all() const { return scores_; }

  bool operator==(const AlignedScores&) const = default;

 private:
  std::array<AlignedScore, kAlignedMeasureNames.size()> scores_;
};

// Compares analyses of one text whose sentences, tokens and words need not be the same: tokens are the same
// when they are the same characters of the text, spaces aside, and words are aligned by their tokens. Throws
// DataError when the texts differ, and when a sentence is no tree with exactly one word under the root. A
// sentence without any head counts as not parsed.
AlignedScores evaluate_aligned(std::span<const Sentence> gold, std::span<const Sentence> system);

// The same for files, one result per system; "-" is the standard input, for one of them. Errors have the file
// and the line.
std::vector<AlignedScores> evaluate_aligned_files(const std::string& gold_path,
                                                  std::span<const std::string> system_paths,
                                                  int max_words = ConllReadOptions().max_words);

}  // namespace copse
