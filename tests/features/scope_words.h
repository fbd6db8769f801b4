#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "features/tuple_index.h"
#include "inference/parts.h"

namespace copse::testing {

inline Tuple to_tuple(const Part& part) {
  return {part.grandparent, part.head, part.sibling, part.modifier, part.second_sibling};
}
inline Part to_part(const Tuple& tuple) {
  return {tuple.grandparent, tuple.head, tuple.sibling, tuple.modifier, tuple.second_sibling};
}

// The scopes whose features a part of this order has.
inline std::span<const Scope> scopes_of(Order order) {
  static constexpr std::array scopes{Scope::head,
                                     Scope::modifier,
                                     Scope::arc,
                                     Scope::sibling,
                                     Scope::sibling_pair,
                                     Scope::grandchild,
                                     Scope::grandchild_pair,
                                     Scope::grandsibling,
                                     Scope::grandsibling_pair,
                                     Scope::grandsibling_triple,
                                     Scope::outermost,
                                     Scope::outermost_pair,
                                     Scope::trisibling,
                                     Scope::trisibling_pair,
                                     Scope::trisibling_triple,
                                     Scope::grandtrisibling};
  const std::span<const Scope> all = scopes;
  switch (order) {
    case Order::arc:
      return all.subspan(0, 3);
    case Order::sibling:
      return all.subspan(3, 2);
    case Order::grandchild:
      return all.subspan(5, 2);
    case Order::grandsibling:
      return all.subspan(7, 3);
    case Order::outermost:
      return all.subspan(10, 2);
    case Order::trisibling:
      return all.subspan(12, 3);
    case Order::grandtrisibling:
      return all.subspan(15, 1);
  }
  return {};
}

enum class Direction { left, right };
inline Direction direction(int from, int to) { return to < from ? Direction::left : Direction::right; }

// 1, 2, 3, 4, 5, 6 to 10, more: the lowest distance of the class.
inline int distance_class(int head, int modifier) {
  const int distance = std::abs(head - modifier);
  if (distance > 10) return 11;
  return std::min(distance, 6);
}

// What tells the tuples of a scope apart: the words that it contains, and how an arc looks where one of its
// ends is missing. A sibling that is not there is missing on the left or on the right.
using TupleKey = std::vector<int>;
inline TupleKey key_of(Scope scope, const Part& part) {
  const auto [grandparent, head, sibling, modifier, second_sibling, is_outermost] = part;
  const int side = static_cast<int>(direction(head, modifier));
  const int sibling_or_side = sibling == head ? -1 - side : sibling;
  const int second_or_side = second_sibling == head ? -1 - side : second_sibling;
  switch (scope) {
    case Scope::head:
      return {head, side, distance_class(head, modifier)};
    case Scope::modifier:
      return {modifier, side, distance_class(head, modifier)};
    case Scope::arc:
      return {head, modifier};
    case Scope::sibling:
      return {head, sibling, modifier};
    case Scope::sibling_pair:
      return {sibling_or_side, modifier};
    case Scope::grandchild:
    case Scope::outermost:
      return {grandparent, head, modifier};
    case Scope::grandchild_pair:
    case Scope::outermost_pair:
      return {grandparent, modifier};
    case Scope::grandsibling:
      return {grandparent, head, sibling, modifier};
    case Scope::grandsibling_pair:
      return {grandparent, sibling_or_side};
    case Scope::trisibling:
      return {head, second_sibling, sibling, modifier};
    case Scope::trisibling_pair:
      return {second_or_side, modifier};
    case Scope::trisibling_triple:
      return {second_or_side, sibling_or_side, modifier};
    case Scope::grandtrisibling:
      return {grandparent, head, second_sibling, sibling, modifier};
    case Scope::grandsibling_triple:
      break;
  }
  return {grandparent, sibling_or_side, modifier};
}

// Calls visit(scope, part) once for every distinct tuple of words that the parts contain, with one of the
// parts that contain it.
template <typename Visit>
void for_each_distinct_tuple(const PartIndex& parts, Visit visit) {
  for (Order order : orders_of(parts.factorization())) {
    for (Scope scope : scopes_of(order)) {
      std::set<TupleKey> seen;
      for_each_part(parts, order, [&](const Part& part, PartIndex::Position) {
        if (seen.insert(key_of(scope, part)).second) visit(scope, part);
      });
    }
  }
}

}  // namespace copse::testing
