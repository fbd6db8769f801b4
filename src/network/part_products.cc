#include "network/part_products.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#ifndef COPSE_PART_LOOPS
#define COPSE_PART_LOOPS
namespace copse {

// Where the rows of one arc's words lie. Kinds are constants: what one of them does not have costs nothing.
template <PartKind kKind, class Numbers, class Rows>
struct PartRows {
  const PartIndex& parts;
  const Rows& rows;
  Arc arc;
  int nearest;                    // the nearest modifier's arc on that side
  GrandparentRange grandparents;  // one if the kind has none
  int slots;                      // one if the kind has no siblings

  PartRows(const PartIndex& index, const Rows& all, int number)
      : parts(index),
        rows(all),
        arc(index.arcs()[number]),
        nearest(index.arcs().outgoing(arc.head, ArcSet::side(arc)).first),
        grandparents(has_grandparent(kKind) ? index.grandparents(arc.head, arc.modifier)
                                            : GrandparentRange{0, 1}),
        slots(has_sibling(kKind) ? index.slots(number) : 1) {}

  // Of second siblings, each a factor: none without a sibling, when there is one part for each grandparent.
  static int second_slots(int slot) { return has_second_sibling(kKind) && slot > 0 ? slot : 0; }
  // Parts of a slot, for each grandparent.
  static int rows_of_slot(int slot) { return std::max(second_slots(slot), 1); }
  std::int64_t rows_of_arc() const {
    return has_second_sibling(kKind) ? PartIndex::pairs_of_slots(slots) : std::int64_t{slots};
  }

  Numbers* head() const { return rows.heads.row(static_cast<std::size_t>(arc.head)); }
  Numbers* modifier() const { return rows.modifiers.row(static_cast<std::size_t>(arc.modifier)); }
  Numbers* sibling(int slot) const {
    if (slot == 0) return rows.no_sibling.data();
    return rows.siblings.row(static_cast<std::size_t>(parts.arcs()[nearest + slot - 1].modifier));
  }
  Numbers* second_sibling(int slot) const {
    if (slot == 0) return rows.no_second_sibling.data();
    return rows.second_siblings.row(static_cast<std::size_t>(parts.arcs()[nearest + slot - 1].modifier));
  }
  Numbers* grandparent(int rank) const {
    if (arc.head == 0) return rows.no_grandparent.data();
    return rows.grandparents.row(static_cast<std::size_t>(parts.grandparent(arc.head, rank)));
  }
};
template <PartKind kKind>
using FactorRows = PartRows<kKind, const float, PartFactors>;
template <PartKind kKind>
using GradientRows = PartRows<kKind, float, PartFactorGradients>;

}  // namespace copse
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/part_products.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "network/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows are whole numbers of vectors.
HWY_INLINE FloatVector load_vector(const float* from) { return hn::LoadU(FloatLanes(), from); }
HWY_INLINE void store_vector(FloatVector numbers, float* to) { hn::StoreU(numbers, FloatLanes(), to); }

HWY_INLINE void multiply(const float* a, const float* b, std::size_t rank, float* product) {
  for (std::size_t k = 0; k < rank; k += kFloatLanes)
    store_vector(hn::Mul(load_vector(a + k), load_vector(b + k)), product + k);
}
// sum += factor · a
HWY_INLINE void accumulate(float factor, const float* a, std::size_t rank, float* sum) {
  const FloatVector factors = hn::Set(FloatLanes(), factor);
  for (std::size_t k = 0; k < rank; k += kFloatLanes) {
    store_vector(hn::MulAdd(factors, load_vector(a + k), load_vector(sum + k)), sum + k);
  }
}
// sum += a ∘ b
HWY_INLINE void accumulate_product(const float* a, const float* b, std::size_t rank, float* sum) {
  for (std::size_t k = 0; k < rank; k += kFloatLanes) {
    store_vector(hn::MulAdd(load_vector(a + k), load_vector(b + k), load_vector(sum + k)), sum + k);
  }
}
HWY_INLINE float dot(const float* a, const float* b, std::size_t rank) {
  SixteenSums sums;
  sums.set(0.0F);
  for (std::size_t k = 0; k < rank; k += kSumLanes) {
    for (std::size_t p = 0; p < kSumLanes / kFloatLanes; ++p) {
      const std::size_t at = k + p * kFloatLanes;
      sums.part[p] = hn::MulAdd(load_vector(a + at), load_vector(b + at), sums.part[p]);
    }
  }
  return sums.total();
}

HWY_INLINE bool are_zeros(const double* begin, const double* end) {
  return std::all_of(begin, end, [](double number) { return number == 0.0; });
}

template <PartKind kKind>
void add_products_of(const PartIndex& parts, const PartFactors& factors, double factor, double* potentials) {
  const std::size_t rank = factors.weights.size();
  float weighted_head[kMostRank];
  float of_arc[kMostRank];
  float of_slot[kMostRank];
  float of_pair[kMostRank];
  int head = -1;
  // The last word of a part, a grandparent if it has one, is the second factor of a dot product.
  const auto add_grandparents = [&](const FactorRows<kKind>& rows, const float* others) HWY_ATTR {
    for (int g = rows.grandparents.first; g < rows.grandparents.last; ++g) {
      *potentials++ += factor * dot(others, rows.grandparent(g), rank);
    }
  };
  for (int number = 0; number < parts.arcs().size(); ++number) {
    const FactorRows<kKind> rows(parts, factors, number);
    if (rows.arc.head != head) {  // arcs are ordered by their heads
      head = rows.arc.head;
      multiply(factors.weights.data(), rows.head(), rank, weighted_head);
    }
    if (kKind == PartKind::arc) {
      *potentials++ += factor * dot(weighted_head, rows.modifier(), rank);
      continue;
    }
    multiply(weighted_head, rows.modifier(), rank, of_arc);
    if (!has_sibling(kKind)) {
      add_grandparents(rows, of_arc);
      continue;
    }
    for (int slot = 0; slot < rows.slots; ++slot) {
      const int second_slots = rows.second_slots(slot);
      if (second_slots == 0 && !has_grandparent(kKind)) {
        *potentials++ += factor * dot(of_arc, rows.sibling(slot), rank);
        continue;
      }
      multiply(of_arc, rows.sibling(slot), rank, of_slot);
      if (second_slots == 0) add_grandparents(rows, of_slot);
      for (int second_slot = 0; second_slot < second_slots; ++second_slot) {
        const float* second_sibling = rows.second_sibling(second_slot);
        if (!has_grandparent(kKind)) {
          *potentials++ += factor * dot(of_slot, second_sibling, rank);
          continue;
        }
        multiply(of_slot, second_sibling, rank, of_pair);
        add_grandparents(rows, of_pair);
      }
    }
  }
}

template <PartKind kKind>
void add_gradients_of(const PartIndex& parts, const PartFactors& factors, const double* coefficients,
                      const PartFactorGradients& gradients) {
  const std::size_t rank = factors.weights.size();
  float ones[kMostRank];
  std::fill_n(ones, rank, 1.0F);
  float weighted_head[kMostRank];
  float of_arc[kMostRank];         // weight ∘ head ∘ modifier
  float of_slot[kMostRank];        // the same ∘ sibling
  float of_pair[kMostRank];        // the same ∘ second sibling
  float pair_gradient[kMostRank];  // d loss / d of_pair
  float slot_gradient[kMostRank];  // d loss / d of_slot
  float arc_gradient[kMostRank];   // d loss / d of_arc
  float weighted[kMostRank];
  for (int number = 0; number < parts.arcs().size(); ++number) {
    const FactorRows<kKind> rows(parts, factors, number);
    const GradientRows<kKind> into(parts, gradients, number);
    const double* of_this_arc = coefficients;
    const int grandparents = rows.grandparents.size();
    coefficients += rows.rows_of_arc() * grandparents;
    if (are_zeros(of_this_arc, coefficients)) continue;
    // The gradient by the product of all words but the grandparent, given the coefficients of all of these.
    const auto differentiate = [&](const double* own, const float* others, float* gradient) HWY_ATTR {
      if (!has_grandparent(kKind)) {
        std::fill_n(gradient, rank, static_cast<float>(*own));
        return;
      }
      std::fill_n(gradient, rank, 0.0F);
      for (int g = 0; g < grandparents; ++g) {
        const auto coefficient = static_cast<float>(own[g]);
        if (coefficient == 0.0F) continue;
        accumulate(coefficient, rows.grandparent(rows.grandparents.first + g), rank, gradient);
        accumulate(coefficient, others, rank, into.grandparent(rows.grandparents.first + g));
      }
    };
    multiply(factors.weights.data(), rows.head(), rank, weighted_head);
    multiply(weighted_head, rows.modifier(), rank, of_arc);
    std::fill_n(arc_gradient, rank, 0.0F);
    for (int slot = 0; slot < rows.slots; ++slot) {
      const double* own = of_this_arc;
      of_this_arc += rows.rows_of_slot(slot) * grandparents;
      if (are_zeros(own, of_this_arc)) continue;
      const float* sibling = has_sibling(kKind) ? rows.sibling(slot) : ones;
      const int second_slots = rows.second_slots(slot);
      if (second_slots > 0 || has_grandparent(kKind)) multiply(of_arc, sibling, rank, of_slot);
      if (second_slots == 0) {
        differentiate(own, of_slot, slot_gradient);
      } else {
        std::fill_n(slot_gradient, rank, 0.0F);
      }
      for (int second_slot = 0; second_slot < second_slots; ++second_slot, own += grandparents) {
        if (are_zeros(own, own + grandparents)) continue;
        const float* second_sibling = rows.second_sibling(second_slot);
        if (has_grandparent(kKind)) multiply(of_slot, second_sibling, rank, of_pair);
        differentiate(own, of_pair, pair_gradient);
        accumulate_product(pair_gradient, of_slot, rank, into.second_sibling(second_slot));
        accumulate_product(pair_gradient, second_sibling, rank, slot_gradient);
      }
      if (has_sibling(kKind)) accumulate_product(slot_gradient, of_arc, rank, into.sibling(slot));
      accumulate_product(slot_gradient, sibling, rank, arc_gradient);
    }
    multiply(arc_gradient, factors.weights.data(), rank, weighted);
    accumulate_product(weighted, rows.modifier(), rank, into.head());
    accumulate_product(weighted, rows.head(), rank, into.modifier());
    multiply(arc_gradient, rows.head(), rank, weighted);
    accumulate_product(weighted, rows.modifier(), rank, gradients.weights.data());
  }
}

// Of each kind, in the order of PartKind.
template <std::size_t... kKinds>
constexpr auto products_by_kind(std::index_sequence<kKinds...> /*kinds*/) {
  return std::array{&add_products_of<kAllPartKinds[kKinds]>...};
}
template <std::size_t... kKinds>
constexpr auto gradients_by_kind(std::index_sequence<kKinds...> /*kinds*/) {
  return std::array{&add_gradients_of<kAllPartKinds[kKinds]>...};
}

void add_products(const PartIndex& parts, PartKind kind, const PartFactors& factors, double factor,
                  double* potentials) {
  static constexpr auto kProducts = products_by_kind(std::make_index_sequence<kPartKinds>());
  kProducts[static_cast<std::size_t>(kind)](parts, factors, factor, potentials);
}

void add_gradients(const PartIndex& parts, PartKind kind, const PartFactors& factors,
                   const double* coefficients, const PartFactorGradients& gradients) {
  static constexpr auto kGradients = gradients_by_kind(std::make_index_sequence<kPartKinds>());
  kGradients[static_cast<std::size_t>(kind)](parts, factors, coefficients, gradients);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {
namespace {

template <class Rows>
void check_factors(const PartIndex& parts, PartKind kind, std::size_t rank, const Rows& rows) {
  const auto fits = [&](const auto& matrix) {
    return matrix.rows >= static_cast<std::size_t>(parts.words()) + 1 && matrix.columns == rank;
  };
  const bool is_right =
      rank % 16 == 0 && rank <= kMostRank && rows.weights.size() == rank && fits(rows.heads) &&
      fits(rows.modifiers) &&
      (!has_sibling(kind) || (fits(rows.siblings) && rows.no_sibling.size() == rank)) &&
      (!has_second_sibling(kind) || (fits(rows.second_siblings) && rows.no_second_sibling.size() == rank)) &&
      (!has_grandparent(kind) || (fits(rows.grandparents) && rows.no_grandparent.size() == rank));
  if (!is_right) throw std::invalid_argument("factors of parts with impossible sizes");
}

void check_count(const PartIndex& parts, PartKind kind, std::size_t count) {
  if (static_cast<std::size_t>(parts.count(kind)) != count) {
    throw std::invalid_argument("not one number for every part");
  }
}

}  // namespace

HWY_EXPORT(add_products);
HWY_EXPORT(add_gradients);

void add_part_products(const PartIndex& parts, PartKind kind, const PartFactors& factors, double factor,
                       std::span<double> potentials) {
  check_count(parts, kind, potentials.size());
  if (potentials.empty()) return;
  check_factors(parts, kind, factors.weights.size(), factors);
  HWY_DYNAMIC_DISPATCH(add_products)(parts, kind, factors, factor, potentials.data());
}

void add_part_gradients(const PartIndex& parts, PartKind kind, const PartFactors& factors,
                        std::span<const double> coefficients, const PartFactorGradients& gradients) {
  check_count(parts, kind, coefficients.size());
  if (coefficients.empty()) return;
  check_factors(parts, kind, factors.weights.size(), factors);
  check_factors(parts, kind, factors.weights.size(), gradients);
  HWY_DYNAMIC_DISPATCH(add_gradients)(parts, kind, factors, coefficients.data(), gradients);
}

}  // namespace copse
#endif
