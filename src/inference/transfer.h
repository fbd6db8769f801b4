// Numbers of parts between part order (PartIndex) and the layouts of charts.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "copse/inference/part_index.h"
#include "inference/context_layout.h"
#include "inference/span_layout.h"

namespace copse {

// What a chart is loaded from. The weight of a highest-order part is the sum of the potentials that it brings
// along: its own and those of the lower-order parts that end in the same modifier. It is minus infinity for
// arcs that are not allowed and for second modifiers of a single root.
struct WeightSource {
  const PartIndex& parts;
  const Potentials& potentials;
  RootMode root;
  std::span<const std::uint8_t> allowed;  // per arc; empty: all are

  double arc_potential(int arc) const {
    return allowed.empty() || allowed[arc] ? potentials.arc[arc] : -std::numeric_limits<double>::infinity();
  }
  // A single root has no second modifier, so no modifier of it has a sibling.
  int usable_slots(int arc) const {
    return root == RootMode::single && parts.arcs()[arc].head == 0 ? 1 : parts.slots(arc);
  }
  // The weight of one part; `place` counts the grandparents that the arc can have.
  double weight(int arc, int slot, int second_slot, int place) const;
};

// highest[m] = the largest weight of a part that ends in m, outermost parts apart. The array has
// SpanLayout::padded_words() entries, of which those that are no word become 0. Of models with outermost
// parts a second such array follows: the largest of those, or 0, because a modifier need not be outermost.
// Returns false if a potential is NaN or above kLargestPotential.
bool find_highest(const WeightSource& source, double* highest);
inline const double* outermost_part(const double* highest, int words) {
  return highest + SpanLayout::padded_words(words);
}

// Places the weights where the layout wants them, as they are (`highest` null), or as exp(weight -
// highest[m]). For charts with contexts this happens arc by arc in the sweeps.
void place_weights(const SpanLayout& layout, const WeightSource& source, const double* highest,
                   double* weights);

// Marginals of the highest order, clipped to [0, 1], and those of the lower orders as their sums.
void store_marginals(const SpanLayout& layout, const double* part_marginals, Marginals& marginals);

}  // namespace copse
