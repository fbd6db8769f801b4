#pragma once

#include <array>
#include <span>
#include <vector>

#include "io/section_file.h"
#include "network/low_rank_parts.h"
#include "network/parameters.h"
#include "network/quantised_matrix.h"
#include "network/quantised_table.h"

namespace copse {

struct QuantisedForm {
  struct Affine {
    QuantisedMatrix weights;
    std::vector<float> bias;
  };
  struct LstmDirection {
    Affine input;  // to the gates i, f, g, o
    QuantisedMatrix state;
  };
  using Lstm = std::array<LstmDirection, 2>;
  using Bilinear = Affine;  // of modifiers; the bias is what heads score by themselves
  using Vector = std::vector<float>;
  using Table = QuantisedTable;
};

// The weights of a network as they are stored and as it parses with them: matrices and tables in 8 bits,
// single rows as floats.
struct QuantisedWeights : WeightSet<QuantisedForm> {
  using LstmDirection = QuantisedForm::LstmDirection;

  // Rounds. Throws DataError for weights that are not numbers or larger than any that is learnt.
  QuantisedWeights(const NetworkBlocks& blocks, std::span<const float> weights);
  // Throws DataError for sections that are missing, damaged, or of other sizes.
  QuantisedWeights(const NetworkBlocks& blocks, const SectionFile& file);
  // Sections "network/...". The writer borrows them until it is closed.
  void add_to(const NetworkBlocks& blocks, SectionFileWriter& file) const;

  // The rounded weights as floats, where NetworkBlocks wants them.
  void dequantise(const NetworkBlocks& blocks, std::span<float> weights) const;

  // Borrowed from this object.
  AllPartWeights part_weights() const;

 private:
  // Calls visit(name, place, numbers) for all that there is; see quantised_weights.cc.
  template <class Weights, class Visit>
  static void for_each(Weights& weights, const NetworkBlocks& blocks, Visit visit);
};

}  // namespace copse
