#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "copse/inference/part_index.h"
#include "model/label_rows.h"
#include "model/prepared_batch.h"

namespace copse {

// What an arc can be labelled with: for each of the labelled parts that end in it, the candidates' scores.
struct ArcLabels {
  std::span<const Label> labels;
  std::span<const double> scores;  // by part and candidate
  // Scores depend on the arc alone: there is one row of them for all parts.
  bool are_same_in_all_parts = false;

  std::span<const double> of_part(int part) const {
    const int row = are_same_in_all_parts ? 0 : part;
    return scores.subspan(static_cast<std::size_t>(row) * labels.size(), labels.size());
  }
};

// Sentences in, potentials of their parts out. This is all that parsing knows of a model that scores parts:
// hashed features are one such source (HashedPotentials), others can take their place.
//
// A workspace for one thread; the weights behind it are shared.
class PotentialSource {
 public:
  virtual ~PotentialSource() = default;

  // Of the parts that score() knows.
  virtual Factorization factorization() const = 0;

  // Reads sentences; overwrites `batch`. What is cheaper for many sentences at a time is done here. Any
  // source of the same model may use what has been read.
  virtual void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) = 0;

  // The sentence that the calls below are about, which is borrowed until the next one.
  virtual void assign(PreparedSentence sentence) = 0;

  // The first-order pass, which chooses candidates: sets the potentials of arcs. `arcs` has parts of first
  // order.
  virtual void score_arcs(const PartIndex& arcs, Potentials& potentials) = 0;

  // Sets the potentials of all parts, times `factor` (1 / temperature). Keeps a reference to `parts` for
  // score_labels(), until the next call.
  virtual void score(const PartIndex& parts, double factor, Potentials& potentials) = 0;

  // The names of the labels that the source scores; none if it leaves labels to others.
  virtual std::span<const std::string> labels() const { return {}; }
  // Whether the scores of labels are logarithms of their probabilities given the arc: trees are as probable
  // without labels as with all of them together. Otherwise P(tree, labels) is proportional to exp of the sum
  // of all scores, those of parts and those of labels.
  virtual bool are_labels_given_arcs() const { return false; }
  // The labels that an arc may have. Only called where there are labels, as is the next one. What both return
  // lasts until the next call of one of them.
  virtual std::span<const Label> candidate_labels(Arc /*arc*/) { return {}; }
  // The scores of these labels in the labelled parts that end in an arc of the last score(): with the same
  // factor, unless they are given arcs.
  virtual ArcLabels score_labels(int /*arc*/) { return {}; }
};

}  // namespace copse
