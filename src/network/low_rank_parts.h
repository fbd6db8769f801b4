#pragma once

#include <array>
#include <span>

#include "copse/inference/part_index.h"
#include "network/matrix_product.h"
#include "network/parameters.h"

namespace copse {

// The weights of one kind of parts; see NetworkBlocks::Part.
struct PartWeights {
  std::span<const float> weights;
  std::span<const float> no_sibling;
  std::span<const float> no_second_sibling;
  std::span<const float> no_grandparent;
};
using AllPartWeights = std::array<PartWeights, kPartKinds>;  // by kind

// Scores of parts that are larger than arcs: sums over products of their words' roles. A workspace.
class LowRankParts {
 public:
  explicit LowRankParts(const NetworkShape& shape) : columns_(shape), blocks_(shape) {}

  // The roles are those of one sentence, the root first. Adds to the potentials.
  void score(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts,
             Potentials& potentials);
  void score(ConstMatrix roles, const AllPartWeights& weights, const PartIndex& parts,
             Potentials& potentials);
  // Adds to the gradients, given d loss / d potential.
  void backward(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts,
                const PartValues& coefficients, Matrix role_gradient, std::span<float> gradients);

 private:
  AllPartWeights weights_in(std::span<const float> weights) const;

  RoleColumns columns_;
  NetworkBlocks blocks_;
};

}  // namespace copse
