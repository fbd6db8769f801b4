#pragma once

#include <cstddef>

#include "copse/model/model.h"

namespace copse {

struct PackOptions {
  std::size_t max_bytes = 0;    // of the file; 0: as many as it takes
  std::size_t max_weights = 0;  // of the parser; 0: all
  WeightPrecision precision{16, 2};
};

// The same model with less of it: the smallest weights dropped, the others rounded. Throws DataError if not
// even the pruner fits into the bytes.
Model pack(const Model& model, const PackOptions& options);

}  // namespace copse
