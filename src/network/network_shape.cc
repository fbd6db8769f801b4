#include "network/network_shape.h"

#include <stdexcept>

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
  const auto take_part = [&](PartKind kind, Part& part) {
    if (!shape.has_kind(kind)) return;
    if (has_grandparent(kind)) part.grandparent = take(shape.rank);
    part.head = take(shape.rank);
    if (has_sibling(kind)) part.sibling = take(shape.rank);
    part.modifier = take(shape.rank);
  };
  take_part(PartKind::sibling, sibling);
  take_part(PartKind::grandchild, grandchild);
  take_part(PartKind::grandsibling, grandsibling);
  if (shape.tag_values > 0) tags = take(shape.tag_hidden);
}

const RoleColumns::Part& RoleColumns::part(PartKind kind) const {
  switch (kind) {
    case PartKind::sibling:
      return sibling;
    case PartKind::grandchild:
      return grandchild;
    case PartKind::grandsibling:
      return grandsibling;
    case PartKind::arc:
    case PartKind::outermost:
    case PartKind::trisibling:
    case PartKind::grandtrisibling:
      break;
  }
  throw std::invalid_argument("these parts are not scored by products");
}

}  // namespace copse
