#pragma once

#include <span>
#include <vector>

#include "network/element_kernels.h"
#include "network/random.h"
#include "network/sequences.h"

namespace copse {

// Factors for the columns of rows, the same for all rows of a sequence (Gal and Ghahramani 2016): 0 with a
// probability, otherwise so much more than 1 that the mean stays.
class SharedDropout {
 public:
  // Draws new factors.
  void draw(std::size_t sequences, std::size_t columns, float rate, Random& random);
  // Multiplies; the gradient takes the same way back.
  void apply(const Sequences& sequences, Matrix rows) const;

 private:
  std::size_t columns_ = 0;
  std::vector<float> factors_;  // [sequence][column]
};

}  // namespace copse
