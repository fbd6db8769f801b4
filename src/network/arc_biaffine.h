#pragma once

#include <span>
#include <vector>

#include "network/matrix_product.h"
#include "network/parameters.h"
#include "network/training_weights.h"

namespace copse {

// A range of rows: a sentence of a batch, the root first.
struct RowRange {
  std::size_t begin = 0;
  std::size_t size = 0;
};

// Scores of arcs: for every modifier and head, a bilinear form of their roles (Dozat and Manning 2017). A
// workspace.
class ArcBiaffine {
 public:
  explicit ArcBiaffine(const NetworkShape& shape) : columns_(shape), blocks_(shape) {}

  // Borrows the roles until the next call.
  void prepare(ConstMatrix roles, const TrainingWeights& weights);
  // scores: [modifier][head], for a sentence of the batch.
  void score(RowRange sentence, Matrix scores) const;

  // Takes the gradient of a sentence's scores, and adds what heads get of it to the gradient of roles. After
  // the last sentence, finish_backward() adds the rest: what modifiers get, and the gradient of weights.
  void begin_backward();
  void backward(RowRange sentence, ConstMatrix score_gradient, Matrix role_gradient);
  void finish_backward(const TrainingWeights& weights, Matrix role_gradient, std::span<float> gradients);

 private:
  ConstMatrix heads(RowRange rows) const {
    return {roles_.row(rows.begin) + columns_.arc_head.begin, rows.size, columns_.arc_head.size,
            roles_.stride};
  }

  RoleColumns columns_;
  NetworkBlocks blocks_;
  ConstMatrix roles_;
  std::vector<float> products_;  // [row][arc_size]: modifiers times weights
  std::vector<float> product_gradient_;
};

}  // namespace copse
