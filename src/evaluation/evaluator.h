#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"
#include "copse/treebank/sentence.h"
#include "evaluation/punctuation.h"

namespace copse {

// All that the measures are made of, of one sentence or the sum over many. Words are scored when they have a
// gold head and are not excluded (as punctuation, usually).
struct Counts {
  int64_t sentences = 0;
  int64_t scored_sentences = 0;  // those with at least one scored word
  int64_t complete = 0;          // scored sentences whose scored words all have the right head
  int64_t labelled_complete = 0;
  int64_t words = 0;
  int64_t words_without_gold_head = 0;
  int64_t scored_words = 0;
  int64_t attached = 0;  // scored words that the system gave a head
  int64_t right_heads = 0;
  int64_t right_labels = 0;  // and the head is right, too
  int64_t roots = 0;         // words whose gold head is the root, excluded ones too
  int64_t right_roots = 0;

  // Words that have a gold head and are not scored.
  int64_t excluded_words() const { return words - words_without_gold_head - scored_words; }

  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

struct Ratio {
  int64_t part = 0;
  int64_t whole = 0;

  // From 0 to 1; not a number when there is nothing to measure.
  double value() const;
};

enum class Measure : uint8_t {
  uas,        // scored words with the right head
  las,        // scored words with the right head and label
  ra,         // gold roots that the system made roots
  cm,         // scored sentences without a wrong head
  lcm,        // scored sentences without a wrong head or label
  coverage,   // scored words that have a head in the system's analysis
  precision,  // those of them whose head is right
};

// In the order of Measure.
inline constexpr std::array<std::string_view, 7> kMeasureNames = {"uas", "las",      "ra",       "cm",
                                                                  "lcm", "coverage", "precision"};
inline constexpr std::array<Measure, kMeasureNames.size()> kMeasures = {
    Measure::uas, Measure::las,      Measure::ra,       Measure::cm,
    Measure::lcm, Measure::coverage, Measure::precision};

Ratio ratio(const Counts& counts, Measure measure);

struct Scores {
  Counts total;
  bool labelled = false;  // both sides have labels; otherwise las and lcm mean nothing

  bool has(Measure measure) const { return labelled || (measure != Measure::las && measure != Measure::lcm); }
  Ratio operator[](Measure measure) const { return ratio(total, measure); }
};

inline constexpr int kNoLabel = -1;
inline constexpr double kNoProbability = -1.0;

// An analysis of a sentence with n words: n + 1 entries, of which entry 0 is ignored. `labels` are any
// numbers that are equal for equal labels, kNoLabel for none. `labels` and `probabilities` (of the heads) may
// be empty.
struct ParseView {
  std::span<const int> heads;
  std::span<const int> labels = {};
  std::span<const double> probabilities = {};
};

// How probable an arc was to the system, and whether it is right.
struct ArcConfidence {
  double probability = 0.0;
  bool is_right = false;
};

struct EvaluationOptions {
  Punctuation punctuation = Punctuation::keep;
  bool keep_subtypes = false;                    // otherwise nsubj:pass is nsubj
  int max_words = ConllReadOptions().max_words;  // of a sentence in a file
};

// The part of a label that is compared: up to its first colon unless subtypes are kept.
std::string_view compared_label(std::string_view label, const EvaluationOptions& options);

// Compares the analyses of a system with the gold ones, sentence by sentence. docs/evaluation.md defines what
// is measured. Use the add() for sentences or the one for views, not both: labels would not be comparable.
class Evaluator {
 public:
  explicit Evaluator(const EvaluationOptions& options = {}) : options_(options) {}

  // Both must have the same number of words, else DataError. Their forms are not compared.
  void add(const Sentence& gold, const Sentence& system);

  // `scored` has n + 1 entries, too: words with a 0 there are excluded.
  void add(const ParseView& gold, const ParseView& system, std::span<const uint8_t> scored);

  Scores scores() const { return {total_, gold_has_labels_ && system_has_labels_}; }

  // One entry per sentence.
  std::span<const Counts> sentences() const { return sentences_; }

  // Of the scored words that have a head and a probability in the system's analysis.
  std::span<const ArcConfidence> confidences() const { return confidences_; }

 private:
  struct ParseBuffer {
    std::vector<int> heads;
    std::vector<int> labels;
    std::vector<double> probabilities;
    ParseView view() const { return {heads, labels, probabilities}; }
  };
  int label_number(std::string_view label);
  void fill(ParseBuffer& buffer, const Sentence& sentence);

  EvaluationOptions options_;
  Counts total_;
  std::vector<Counts> sentences_;
  std::vector<ArcConfidence> confidences_;
  bool gold_has_labels_ = false;
  bool system_has_labels_ = false;
  std::map<std::string, int, std::less<>> label_numbers_;
  ParseBuffer gold_;
  ParseBuffer system_;
  std::vector<uint8_t> scored_;
};

}  // namespace copse
