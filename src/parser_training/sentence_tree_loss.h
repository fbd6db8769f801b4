#pragma once

#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "network/low_rank_parts.h"
#include "network/matrix_product.h"
#include "network/network_shape.h"
#include "parser_training/network_loss_options.h"
#include "parser_training/training_set.h"
#include "parser_training/tree_loss.h"

namespace copse {

// The loss of a sentence's tree as a function of what a network gives: scores of arcs, and the roles that
// larger parts are scored by. First the first-order model, whose marginals choose the candidates, then the
// whole one over these. Where the network itself is computed does not matter. A workspace for one thread.
class SentenceTreeLoss {
 public:
  // All that it reads, and what it adds to. Scores are [modifier][head], roles [word][RoleColumns], both with
  // the root first. Gradients have the same form and are added to. Of the weights, and of their gradient,
  // only the blocks of larger parts (NetworkBlocks::part()) are used; first order does not need them, nor
  // roles.
  struct Input {
    ConstMatrix scores;
    ConstMatrix roles;
    std::span<const float> weights;
  };
  struct Gradient {
    Matrix scores;
    Matrix roles;
    std::span<float> weights;
  };

  SentenceTreeLoss(const NetworkShape& shape, const NetworkLossOptions& options);

  // NaN, with an incomplete gradient, if a score is not a finite number.
  double run(const TrainingSentence& sentence, const Input& input, const Gradient& gradient);
  // What run() begins with where there are larger parts: the loss of the first-order model, and the
  // candidates that it chooses. NaN without candidates if a score is not a finite number.
  double run_arcs(const TrainingSentence& sentence, ConstMatrix scores, Matrix gradient,
                  SentenceParts& candidates);

 private:
  static double local_loss(const TrainingSentence& sentence, const Input& input, const Gradient& gradient);
  // Without candidates to choose, all arcs are the whole model.
  double loss_of_arcs(const TrainingSentence& sentence, ConstMatrix scores, Matrix gradient,
                      SentenceParts* candidates);
  double loss_of_large_parts(const TrainingSentence& sentence, const Input& input, const Gradient& gradient);
  void choose_candidates(const TrainingSentence& sentence, SentenceParts& parts);

  Factorization factorization_;
  NetworkLossOptions options_;
  LowRankParts low_rank_parts_;
  SentenceParts arcs_;
  Potentials arc_potentials_;
  TreeLoss arc_loss_;
  std::vector<Arc> candidates_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeLoss part_loss_;
};

}  // namespace copse
