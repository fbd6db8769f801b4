#pragma once

#include <cstddef>
#include <span>

#include "copse/inference/part_index.h"
#include "network/matrix_product.h"

namespace copse {

// Potentials of low rank: that of the part (g, h, t, s, m) is
//   Σ_k weight[k] · grandparent[g][k] · head[h][k] · second_sibling[t][k] · sibling[s][k] · modifier[m][k],
// and without the words that its kind does not have. Innermost modifiers have neither s nor t: no_sibling
// stands for both, and there is no factor of t. All rows have the same length, the rank: a multiple of 16, at
// most kMostRank. The matrices have a row for every word and the root; those of words that the kind does not
// have are not looked at.
struct PartFactors {
  ConstMatrix grandparents;
  ConstMatrix heads;
  ConstMatrix second_siblings;
  ConstMatrix siblings;
  ConstMatrix modifiers;
  std::span<const float> no_grandparent;     // of modifiers of the root
  std::span<const float> no_sibling;         // of innermost modifiers
  std::span<const float> no_second_sibling;  // of modifiers whose sibling is the innermost
  std::span<const float> weights;
};
inline constexpr std::size_t kMostRank = 512;

// potentials += factor × the products, for all parts of the kind, in the order of their array.
void add_part_products(const PartIndex& parts, PartKind kind, const PartFactors& factors, double factor,
                       std::span<double> potentials);

// The gradients of the numbers in PartFactors.
struct PartFactorGradients {
  Matrix grandparents;
  Matrix heads;
  Matrix second_siblings;
  Matrix siblings;
  Matrix modifiers;
  std::span<float> no_grandparent;
  std::span<float> no_sibling;
  std::span<float> no_second_sibling;
  std::span<float> weights;
};

// Adds to the gradients what coefficients, d loss / d potential for every part of the kind, make of them. The
// order of sums depends on the parts alone.
void add_part_gradients(const PartIndex& parts, PartKind kind, const PartFactors& factors,
                        std::span<const double> coefficients, const PartFactorGradients& gradients);

}  // namespace copse
