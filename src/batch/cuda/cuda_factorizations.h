// Which batches the kernels solve.
#pragma once

#include <algorithm>
#include <array>

#include "copse/inference/factorization.h"

namespace copse {

inline constexpr std::array kCudaFactorizations = {Factorization::first, Factorization::sibling,
                                                   Factorization::grandchild, Factorization::grandsibling};
constexpr bool is_cuda_factorization(Factorization factorization) {
  return std::find(kCudaFactorizations.begin(), kCudaFactorizations.end(), factorization) !=
         kCudaFactorizations.end();
}

// Arrays of the kernels have places for the first kinds of parts, up to the last that these factorizations
// have.
constexpr int count_cuda_part_kinds() {
  int count = 0;
  for (const Factorization factorization : kCudaFactorizations) {
    for (const PartKind kind : part_kinds(factorization)) count = std::max(count, static_cast<int>(kind) + 1);
  }
  return count;
}
inline constexpr int kCudaPartKinds = count_cuda_part_kinds();

}  // namespace copse
