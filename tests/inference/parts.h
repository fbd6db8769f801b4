#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse::testing {

using Heads = std::vector<int>;

// The parts of all orders as one family, so that a test can be written once for every order.
enum class Order { arc, sibling, grandchild, grandsibling, outermost, trisibling, grandtrisibling };

inline constexpr std::array kOrders{
    Order::arc,       Order::sibling,    Order::grandchild,     Order::grandsibling,
    Order::outermost, Order::trisibling, Order::grandtrisibling};
inline constexpr std::array kFactorizations{Factorization::first,          Factorization::sibling,
                                            Factorization::grandchild,     Factorization::grandsibling,
                                            Factorization::outermost,      Factorization::trisibling,
                                            Factorization::grandtrisibling};
inline constexpr std::array kRootModes{RootMode::multi, RootMode::single};

constexpr bool names_second_sibling(Order order) {
  return order == Order::trisibling || order == Order::grandtrisibling;
}
constexpr bool names_sibling(Order order) {
  return order == Order::sibling || order == Order::grandsibling || names_second_sibling(order);
}
constexpr bool names_grandparent(Order order) {
  return order == Order::grandchild || order == Order::grandsibling || order == Order::outermost ||
         order == Order::grandtrisibling;
}

inline std::span<const Order> orders_of(Factorization factorization) {
  static constexpr std::array with_siblings{Order::arc,          Order::sibling,    Order::grandchild,
                                            Order::grandsibling, Order::trisibling, Order::grandtrisibling};
  static constexpr std::array without_siblings{Order::arc, Order::grandchild};
  static constexpr std::array with_outermost{Order::arc, Order::sibling, Order::outermost};
  switch (factorization) {
    case Factorization::first:
      return {with_siblings.data(), 1};
    case Factorization::sibling:
      return {with_siblings.data(), 2};
    case Factorization::grandchild:
      return without_siblings;
    case Factorization::grandsibling:
      return {with_siblings.data(), 4};
    case Factorization::outermost:
      return with_outermost;
    case Factorization::trisibling:
      return {with_siblings.data(), 5};
    case Factorization::grandtrisibling:
      break;
  }
  return with_siblings;
}

inline const char* to_string(Order order) {
  constexpr std::array names{"arc",       "sibling",    "grandchild",     "grandsibling",
                             "outermost", "trisibling", "grandtrisibling"};
  return names[static_cast<std::size_t>(order)];
}

// `sibling == head` means that the modifier is the innermost one. Orders that do not name a sibling or a
// grandparent ignore that member.
struct Part {
  int grandparent;
  int head;
  int sibling;
  int modifier;
  int second_sibling = 0;    // next inside of the sibling; the head if there is none
  bool is_outermost = true;  // of a tree: whether no modifier of the same head lies beyond this one
};

// The orders that a part of a tree has.
inline std::span<const Order> orders_of(Factorization factorization, const Part& part) {
  const std::span<const Order> orders = orders_of(factorization);
  return orders.back() == Order::outermost && !part.is_outermost ? orders.first(orders.size() - 1) : orders;
}

inline std::string to_string(const Part& part) {
  return "g=" + std::to_string(part.grandparent) + " h=" + std::to_string(part.head) +
         " t=" + std::to_string(part.second_sibling) + " s=" + std::to_string(part.sibling) +
         " m=" + std::to_string(part.modifier);
}

// The library's word for an order.
constexpr PartKind kind_of(Order order) { return static_cast<PartKind>(order); }

inline PartIndex::Position position(const PartIndex& parts, Order order, const Part& part) {
  return parts.find(kind_of(order),
                    {part.grandparent, part.head, part.sibling, part.modifier, part.second_sibling});
}

inline PartIndex::Position count(const PartIndex& parts, Order order) { return parts.count(kind_of(order)); }

inline const std::vector<double>& values_of(const PartValues& values, Order order) {
  return values[kind_of(order)];
}
inline std::vector<double>& values_of(PartValues& values, Order order) { return values[kind_of(order)]; }

// Every combination of words that could name a part of this order, whether or not such a part exists.
template <typename Visit>
void for_each_conceivable_part(Order order, int words, Visit visit) {
  for (int grandparent = 0; grandparent <= (names_grandparent(order) ? words : 0); ++grandparent) {
    for (int head = 0; head <= words; ++head) {
      for (int sibling = 0; sibling <= (names_sibling(order) ? words : 0); ++sibling) {
        for (int second = 0; second <= (names_second_sibling(order) ? words : 0); ++second) {
          for (int modifier = 1; modifier <= words; ++modifier) {
            visit(Part{grandparent, head, sibling, modifier, second});
          }
        }
      }
    }
  }
}

// Calls visit(part, position) for all parts that exist. The order of lanes, which is the library's own
// affair, plays no role.
template <typename Visit>
void for_each_part(const PartIndex& parts, Order order, Visit visit) {
  const ArcSet& arcs = parts.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto [head, modifier] = arcs[arc];
    std::vector<int> siblings{head};
    const int innermost = arcs.outgoing(head, ArcSet::side(arcs[arc])).first;
    for (int inner = innermost; names_sibling(order) && inner < arc; ++inner) {
      siblings.push_back(arcs[inner].modifier);
    }
    std::vector<int> grandparents;
    if (head == 0 || !names_grandparent(order)) {
      grandparents.push_back(0);
    } else {
      for (int upper : arcs.incoming(head)) grandparents.push_back(arcs[upper].head);
    }
    for (int sibling : siblings) {
      const auto seconds = names_second_sibling(order) ? siblings : std::vector<int>{head};
      for (int second : seconds) {
        for (int grandparent : grandparents) {
          const Part part{grandparent, head, sibling, modifier, second};
          const PartIndex::Position found = position(parts, order, part);
          if (found != PartIndex::kNone) visit(part, found);
        }
      }
    }
  }
}

// The modifier of the same head that stands nearest to `modifier` on the way to the head, or the head.
inline int inner_sibling(const Heads& heads, int modifier) {
  const int head = heads[modifier];
  const int step = modifier < head ? 1 : -1;
  int word = modifier + step;
  while (word != head && heads[word] != head) word += step;
  return word;
}

inline bool is_outermost(const Heads& heads, int modifier) {
  const int head = heads[modifier];
  for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
    const bool is_beyond = modifier < head ? word < modifier : word > modifier;
    if (is_beyond && heads[word] == head) return false;
  }
  return true;
}

template <typename Visit>
void for_each_part_of_tree(const Heads& heads, Visit visit) {
  for (int modifier = 1; modifier < static_cast<int>(heads.size()); ++modifier) {
    const int head = heads[modifier];
    const int sibling = inner_sibling(heads, modifier);
    visit(Part{head == 0 ? 0 : heads[head], head, sibling, modifier,
               sibling == head ? head : inner_sibling(heads, sibling), is_outermost(heads, modifier)});
  }
}

// A number for every conceivable part, found by the words themselves: the oracle must not depend on the
// numbering that the library under test gives to its parts.
template <typename Number>
class PartTable {
 public:
  explicit PartTable(int words) : width_(static_cast<std::size_t>(words) + 1) {
    const std::size_t square = width_ * width_;
    for (const Order order : kOrders) {
      std::size_t size = square;
      for (const bool is_named :
           {names_grandparent(order), names_sibling(order), names_second_sibling(order)}) {
        if (is_named) size *= width_;
      }
      numbers_[static_cast<std::size_t>(order)].resize(size);
    }
  }

  Number& at(Order order, const Part& part) {
    return numbers_[static_cast<std::size_t>(order)][offset(order, part)];
  }
  const Number& at(Order order, const Part& part) const {
    return numbers_[static_cast<std::size_t>(order)][offset(order, part)];
  }

 private:
  std::size_t offset(Order order, const Part& part) const {
    std::size_t offset = names_grandparent(order) ? static_cast<std::size_t>(part.grandparent) : 0;
    offset = offset * width_ + static_cast<std::size_t>(part.head);
    if (names_second_sibling(order)) {
      offset = offset * width_ + static_cast<std::size_t>(part.second_sibling);
    }
    if (names_sibling(order)) offset = offset * width_ + static_cast<std::size_t>(part.sibling);
    return offset * width_ + static_cast<std::size_t>(part.modifier);
  }

  std::size_t width_;
  std::array<std::vector<Number>, kOrders.size()> numbers_;
};

}  // namespace copse::testing
