#include "network/dropout.h"

namespace copse {

void SharedDropout::draw(std::size_t sequences, std::size_t columns, float rate, Random& random) {
  columns_ = columns;
  factors_.resize(sequences * columns);
  const float kept = 1.0F / (1.0F - rate);
  for (float& factor : factors_) factor = random.uniform() < rate ? 0.0F : kept;
}

void SharedDropout::apply(const Sequences& sequences, Matrix rows) const {
  for (std::size_t s = 0; s < sequences.count(); ++s) {
    multiply_rows(std::span(factors_).subspan(s * columns_, columns_),
                  Matrix(rows.row(sequences.begin(s)), sequences.length(s), rows.columns, rows.stride));
  }
}

}  // namespace copse
