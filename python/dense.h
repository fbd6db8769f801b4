// Dense arrays, as Python users index them, from and to the packed arrays of a PartIndex.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse::python {

enum class Order { arc, sibling, grandchild, grandsibling };
inline constexpr std::array<Order, 4> kOrders = {Order::arc, Order::sibling, Order::grandchild,
                                                 Order::grandsibling};

std::string_view name(Order order);
// [head, modifier], [head, sibling, modifier], [grandparent, head, modifier] or
// [grandparent, head, sibling, modifier].
int dimensions(Order order);
bool contains(Factorization factorization, Order order);
std::vector<double>& values_of(PartValues& values, Order order);
const std::vector<double>& values_of(const PartValues& values, Order order);

// Both arrays have words + 1 entries in every dimension, C order.
void read_dense(const PartIndex& parts, Order order, const double* dense, std::vector<double>& packed);
// Entries of `dense` that are no part are left as they are.
void write_dense(const PartIndex& parts, Order order, const std::vector<double>& packed, double* dense);

}  // namespace copse::python
