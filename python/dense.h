// Dense arrays, as Python users index them, from and to the packed arrays of a PartIndex.
#pragma once

#include <cstddef>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse::python {

// [head, modifier], [head, sibling, modifier], [grandparent, head, modifier] or
// [grandparent, head, sibling, modifier].
int dimensions(PartKind kind);

// Both arrays have words + 1 entries in every dimension, C order.
void read_dense(const PartIndex& parts, PartKind kind, const double* dense, std::vector<double>& packed);
// Entries of `dense` that are no part are left as they are.
void write_dense(const PartIndex& parts, PartKind kind, const std::vector<double>& packed, double* dense);

}  // namespace copse::python
