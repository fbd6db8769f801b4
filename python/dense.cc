#include "dense.h"

#include "inference/tree_parts.h"

namespace copse::python {
namespace {

// Calls f(position in the packed array, position in the dense one) for every part.
template <PartKind kKind, class F>
void visit(const PartIndex& parts, F&& f) {
  const std::size_t size = static_cast<std::size_t>(parts.words()) + 1;
  std::size_t packed = 0;
  for_each_part<kKind>(parts, [&](const PartWords& words) {
    std::size_t dense = has_grandparent(kKind) ? static_cast<std::size_t>(words.grandparent) : 0;
    dense = dense * size + static_cast<std::size_t>(words.head);
    if (has_second_sibling(kKind)) dense = dense * size + static_cast<std::size_t>(words.second_sibling);
    if (has_sibling(kKind)) dense = dense * size + static_cast<std::size_t>(words.sibling);
    f(packed++, dense * size + static_cast<std::size_t>(words.modifier));
  });
}

template <class F>
void visit(const PartIndex& parts, PartKind kind, F&& f) {
  with_part_kind(kind, [&]<PartKind kKind>() { visit<kKind>(parts, f); });
}

}  // namespace

int dimensions(PartKind kind) {
  return 2 + (has_sibling(kind) ? 1 : 0) + (has_second_sibling(kind) ? 1 : 0) +
         (has_grandparent(kind) ? 1 : 0);
}

void read_dense(const PartIndex& parts, PartKind kind, const double* dense, std::vector<double>& packed) {
  visit(parts, kind, [&](std::size_t to, std::size_t from) { packed[to] = dense[from]; });
}

void write_dense(const PartIndex& parts, PartKind kind, const std::vector<double>& packed, double* dense) {
  visit(parts, kind, [&](std::size_t from, std::size_t to) { dense[to] = packed[from]; });
}

}  // namespace copse::python
