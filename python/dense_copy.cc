#include "dense_copy.h"

namespace copse::python {
namespace {

template <PartKind kKind, Direction kDirection, class Dense, class Packed>
void copy_sentences(const DenseCopy<Dense, Packed>& copy, TaskPool& pool) {
  pool.for_each(static_cast<std::size_t>(copy.batch.sentences), [&](std::size_t sentence, int /*worker*/) {
    const int n = static_cast<int>(copy.batch.words[sentence]);
    for (int arc = 0; arc < n * n; ++arc) {
      const ArcParts parts = arc_parts<kKind>(n, arc);
      for (int slot = 0; slot < parts.slots; ++slot) {
        for (int rank = 0; rank < parts.grandparents; ++rank) {
          copy.template copy_part<kDirection>(static_cast<std::int64_t>(sentence), parts, slot, rank);
        }
      }
    }
  });
}

template <PartKind kKind, class Dense, class Packed>
void copy_kind(const DenseCopy<Dense, Packed>& copy, TaskPool& pool) {
  if (copy.direction == Direction::gather) {
    copy_sentences<kKind, Direction::gather>(copy, pool);
  } else {
    copy_sentences<kKind, Direction::scatter>(copy, pool);
  }
}

}  // namespace

template <class Dense, class Packed>
void copy_on_cpu(const DenseCopy<Dense, Packed>& copy, TaskPool& pool) {
  with_part_kind(copy.kind, [&]<PartKind kKind>() {
    if constexpr (is_in_full_layout(kKind)) copy_kind<kKind>(copy, pool);
  });
}

template void copy_on_cpu(const DenseCopy<float, float>&, TaskPool&);
template void copy_on_cpu(const DenseCopy<float, double>&, TaskPool&);
template void copy_on_cpu(const DenseCopy<double, double>&, TaskPool&);

}  // namespace copse::python
