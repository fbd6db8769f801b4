// A source of potentials whose numbers come from a table: hashes of what a part or label is.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "features/hashing.h"
#include "inference/tree_parts.h"
#include "model/potential_source.h"

namespace copse::testing {

inline Sentence sentence_of(int words) {
  Sentence sentence;
  for (int word = 1; word <= words; ++word) sentence.add_word("w" + std::to_string(word));
  return sentence;
}

// A number between -2 and 2 for whatever the key says.
inline double number_of(std::uint64_t key) {
  return static_cast<double>(mix(key) >> 11) * 0x1.0p-53 * 4.0 - 2.0;
}

inline double potential_of(int words, PartKind kind, const PartWords& part) {
  std::uint64_t key = static_cast<std::uint64_t>(words) * 8 + static_cast<std::uint64_t>(kind);
  const auto add = [&](int word) { key = key * 64 + static_cast<std::uint64_t>(word); };
  if (has_grandparent(kind)) add(part.grandparent + 1);
  add(part.head + 1);
  if (has_second_sibling(kind)) add(part.second_sibling + 1);
  if (has_sibling(kind)) add(part.sibling + 1);
  add(part.modifier + 1);
  return number_of(key);
}

template <PartKind kKind>
void fill(int words, const PartIndex& parts, double factor, Potentials& potentials) {
  potentials[kKind].clear();
  if (!contains(parts.factorization(), kKind)) return;
  for_each_part<kKind>(parts, [&](const PartWords& part) {
    potentials[kKind].push_back(factor * potential_of(words, kKind, part));
  });
}

// Of a label in a labelled part.
inline double label_score(int words, const PartWords& part, Label label) {
  return number_of(7'000'000'019ULL * (static_cast<std::uint64_t>(label) + 1) +
                   static_cast<std::uint64_t>(((part.grandparent * 64 + part.head) * 64 + part.sibling) * 64 +
                                              part.modifier + words));
}

// What a table says about labels.
struct TableLabels {
  int count = 0;
  bool are_given_arcs = false;  // their scores are log-probabilities given arcs
  bool has_candidates = false;  // not every arc may have every label, or any
};

// In rising order.
inline std::vector<Label> candidates_of(const TableLabels& labels, Arc arc) {
  std::vector<Label> candidates;
  for (int label = 0; label < labels.count; ++label) {
    const int key = ((label * 64 + arc.head) * 64 + arc.modifier) * 2;
    const bool is_in = !labels.has_candidates || number_of(static_cast<std::uint64_t>(key) + 77) > -0.4;
    if (is_in) candidates.push_back(static_cast<Label>(label));
  }
  // Without a label, an arc has no tree, unless labels come after arcs.
  if (candidates.empty() && labels.count > 0 && !labels.are_given_arcs) {
    candidates.push_back(static_cast<Label>((arc.head + arc.modifier) % labels.count));
  }
  return candidates;
}

// The scores of an arc's candidates in a part.
inline std::vector<double> label_scores(const TableLabels& labels, int words, PartWords part, double factor) {
  std::vector<double> scores;
  double sum = 0.0;
  if (labels.are_given_arcs) part = {0, part.head, part.head, part.modifier};
  for (const Label label : candidates_of(labels, {part.head, part.modifier})) {
    scores.push_back((labels.are_given_arcs ? 1.0 : factor) * label_score(words, part, label));
    sum += std::exp(scores.back());
  }
  if (labels.are_given_arcs) {
    for (double& score : scores) score -= std::log(sum);
  }
  return scores;
}

class TableSource : public PotentialSource {
 public:
  TableSource(Factorization factorization, int labels)
      : TableSource(factorization, TableLabels{labels, false, false}) {}
  TableSource(Factorization factorization, const TableLabels& labels)
      : factorization_(factorization), table_(labels) {
    for (int label = 0; label < labels.count; ++label) names_.push_back("label" + std::to_string(label));
  }

  Factorization factorization() const override { return factorization_; }
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) override {
    ++batches_;
    batch.sentences.assign(sentences.begin(), sentences.end());
  }
  void assign(PreparedSentence sentence) override { words_ = sentence.words(); }
  void score_arcs(const PartIndex& arcs, Potentials& potentials) override {
    EXPECT_EQ(arcs.factorization(), Factorization::first);
    potentials.assign(arcs);
    fill<PartKind::arc>(words_, arcs, 1.0, potentials);
  }
  void score(const PartIndex& parts, double factor, Potentials& potentials) override {
    parts_ = &parts;
    factor_ = factor;
    fill<PartKind::arc>(words_, parts, factor, potentials);
    fill<PartKind::sibling>(words_, parts, factor, potentials);
    fill<PartKind::grandchild>(words_, parts, factor, potentials);
    fill<PartKind::grandsibling>(words_, parts, factor, potentials);
    fill<PartKind::outermost>(words_, parts, factor, potentials);
    fill<PartKind::trisibling>(words_, parts, factor, potentials);
    fill<PartKind::grandtrisibling>(words_, parts, factor, potentials);
  }
  std::span<const std::string> labels() const override { return names_; }
  bool are_labels_given_arcs() const override { return table_.are_given_arcs; }
  std::span<const Label> candidate_labels(Arc arc) override {
    candidates_ = candidates_of(table_, arc);
    return candidates_;
  }
  ArcLabels score_labels(int arc) override {
    scores_.clear();
    const auto visit = [&](const PartWords& part) {
      if (parts_->arc(part.head, part.modifier) != arc) return;
      if (table_.are_given_arcs && !scores_.empty()) return;
      const std::vector<double> scores = label_scores(table_, words_, part, factor_);
      scores_.insert(scores_.end(), scores.begin(), scores.end());
    };
    // In the order of their numbers.
    switch (labelled_kind(factorization_)) {
      case PartKind::arc:
        for_each_part<PartKind::arc>(*parts_, visit);
        break;
      case PartKind::sibling:
        for_each_part<PartKind::sibling>(*parts_, visit);
        break;
      case PartKind::grandchild:
        for_each_part<PartKind::grandchild>(*parts_, visit);
        break;
      case PartKind::grandsibling:
        for_each_part<PartKind::grandsibling>(*parts_, visit);
        break;
      case PartKind::outermost:
      case PartKind::trisibling:
      case PartKind::grandtrisibling:
        break;  // labels do not belong to them
    }
    return {candidate_labels(parts_->arcs()[arc]), scores_, table_.are_given_arcs};
  }

  int batches() const { return batches_; }

 private:
  Factorization factorization_;
  TableLabels table_;
  std::vector<std::string> names_;
  std::vector<Label> candidates_;
  int batches_ = 0;
  int words_ = 0;
  const PartIndex* parts_ = nullptr;
  double factor_ = 1.0;
  std::vector<double> scores_;
};

// What for_each_part says of words that a kind does not have.
inline PartWords normalised(PartKind kind, PartWords part) {
  if (!has_grandparent(kind)) part.grandparent = 0;
  if (!has_sibling(kind)) part.sibling = part.head;
  return part;
}

}  // namespace copse::testing
