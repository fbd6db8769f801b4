#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "copse/inference/part_index.h"
#include "copse/treebank/sentence.h"
#include "model/label_rows.h"

namespace copse {

// What an arc can be labelled with: for each of the largest parts that end in it, the candidates' scores.
struct ArcLabels {
  std::span<const Label> labels;
  std::span<const double> scores;  // by part and candidate

  std::span<const double> of_part(int part) const {
    return scores.subspan(static_cast<std::size_t>(part) * labels.size(), labels.size());
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

  // The sentences that later calls name by their number. What is cheaper for many sentences at a time is done
  // here. They are borrowed until the next call.
  virtual void prepare(std::span<const Sentence> sentences) = 0;

  // The first-order pass, which chooses candidates: sets the potentials of arcs. `arcs` has parts of first
  // order.
  virtual void score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) = 0;

  // Sets the potentials of all parts, times `factor` (1 / temperature). Keeps a reference to `parts` for
  // score_labels(), until the next call.
  virtual void score(std::size_t sentence, const PartIndex& parts, double factor, Potentials& potentials) = 0;

  // The names of the labels that the source scores together with trees; none if it leaves labels to others.
  virtual std::span<const std::string> labels() const { return {}; }
  // The scores of labels of an arc of the last score(), with the same factor. Only called where there are
  // labels; lasts until the next call.
  virtual ArcLabels score_labels(int /*arc*/) { return {}; }
};

}  // namespace copse
