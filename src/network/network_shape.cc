#include "network/network_shape.h"

namespace copse {

RoleColumns::RoleColumns(const NetworkShape& shape) {
  const auto take = [this](std::size_t columns) {
    const Columns taken{size, columns};
    size += columns;
    return taken;
  };
  arc_head = take(shape.arc_size);
  arc_modifier = take(shape.arc_size);
  if (shape.labels > 0) {
    label_head = take(shape.label_size);
    label_modifier = take(shape.label_size);
  }
  for (const PartKind kind : part_kinds(shape.factorization)) {
    if (kind == PartKind::arc) continue;
    Part& part = parts[static_cast<std::size_t>(kind)];
    if (has_grandparent(kind)) part.grandparent = take(shape.rank);
    part.head = take(shape.rank);
    if (has_second_sibling(kind)) part.second_sibling = take(shape.rank);
    if (has_sibling(kind)) part.sibling = take(shape.rank);
    part.modifier = take(shape.rank);
  }
  if (shape.tag_values > 0) tags = take(shape.tag_hidden);
}

}  // namespace copse
