#pragma once

#include <cstddef>
#include <optional>

#include "model/parser_model.h"

namespace copse {

struct PackOptions {
  std::size_t max_bytes = 0;                 // of the file; 0: as many as it takes
  std::size_t max_weights = 0;               // of the parser; 0: all
  std::optional<WeightPrecision> precision;  // otherwise as fine as all weights fit, or the coarsest choice
};

// The same model with less of it: weights rounded and, if that is not enough, the smallest ones dropped.
// Throws DataError if not even the pruner fits into the bytes.
ParserModel pack(const ParserModel& model, const PackOptions& options);

}  // namespace copse
