#include "dense.h"

namespace copse::python {
namespace {

bool has_sibling(Order order) { return order == Order::sibling || order == Order::grandsibling; }
bool has_grandparent(Order order) { return order == Order::grandchild || order == Order::grandsibling; }

// Calls f(position in the packed array, position in the dense one) for every part.
template <class F>
void for_each_part(const PartIndex& parts, Order order, F&& f) {
  const ArcSet& arcs = parts.arcs();
  const std::size_t size = static_cast<std::size_t>(parts.words()) + 1;
  std::size_t packed = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto [head, modifier] = arcs[arc];
    const int first = arcs.outgoing(head, ArcSet::side(arcs[arc])).first;
    const GrandparentLanes lanes =
        has_grandparent(order) ? parts.grandparents(head, modifier) : GrandparentLanes{0, 1};
    const int slots = has_sibling(order) ? parts.slots(arc) : 1;
    for (int slot = 0; slot < slots; ++slot) {
      for (int lane = lanes.first; lane < lanes.last; ++lane) {
        std::size_t dense =
            has_grandparent(order) ? static_cast<std::size_t>(parts.grandparent(head, lane)) : 0;
        dense = dense * size + head;
        if (has_sibling(order)) dense = dense * size + (slot == 0 ? head : arcs[first + slot - 1].modifier);
        f(packed++, dense * size + modifier);
      }
    }
  }
}

}  // namespace

std::string_view name(Order order) {
  constexpr std::array<std::string_view, 4> kNames = {"arc", "sibling", "grandchild", "grandsibling"};
  return kNames[static_cast<std::size_t>(order)];
}

int dimensions(Order order) { return 2 + (has_sibling(order) ? 1 : 0) + (has_grandparent(order) ? 1 : 0); }

bool contains(Factorization factorization, Order order) {
  return (has_siblings(factorization) || !has_sibling(order)) &&
         (has_grandparents(factorization) || !has_grandparent(order));
}

const std::vector<double>& values_of(const PartValues& values, Order order) {
  switch (order) {
    case Order::arc:
      return values.arc;
    case Order::sibling:
      return values.sibling;
    case Order::grandchild:
      return values.grandchild;
    default:
      return values.grandsibling;
  }
}

std::vector<double>& values_of(PartValues& values, Order order) {
  return const_cast<std::vector<double>&>(values_of(static_cast<const PartValues&>(values), order));
}

void read_dense(const PartIndex& parts, Order order, const double* dense, std::vector<double>& packed) {
  for_each_part(parts, order, [&](std::size_t to, std::size_t from) { packed[to] = dense[from]; });
}

void write_dense(const PartIndex& parts, Order order, const std::vector<double>& packed, double* dense) {
  for_each_part(parts, order, [&](std::size_t from, std::size_t to) { dense[to] = packed[from]; });
}

}  // namespace copse::python
