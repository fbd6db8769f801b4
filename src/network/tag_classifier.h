#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/matrix_product.h"
#include "network/parameters.h"
#include "network/training_weights.h"

namespace copse {

// Scores of the values of tags: of each column that is predicted (such as UPOS), all values, for every word
// by itself. A workspace.
class TagClassifier {
 public:
  explicit TagClassifier(const NetworkShape& shape) : columns_(shape), blocks_(shape) {}

  // [row][value], the values of all columns side by side.
  ConstMatrix score(ConstMatrix roles, const TrainingWeights& weights);

  // A value that a word has, among those of its column.
  struct Gold {
    std::size_t row = 0;
    Columns column;
    std::size_t value = 0;  // within the column
  };
  // The sum of - log P(value), times `weight`. Adds the gradients.
  double loss(ConstMatrix roles, const TrainingWeights& weights, std::span<const Gold> gold, float weight,
              Matrix role_gradient, std::span<float> gradients);

 private:
  ConstMatrix tag_roles(ConstMatrix roles) const {
    return {roles.data + columns_.tags.begin, roles.rows, columns_.tags.size, roles.stride};
  }

  RoleColumns columns_;
  NetworkBlocks blocks_;
  std::vector<float> scores_;
  std::vector<float> score_gradient_;
};

}  // namespace copse
