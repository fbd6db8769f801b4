#include "network/low_rank_parts.h"

#include "network/part_products.h"

namespace copse {
namespace {

// Of one role; nothing where the kind has no such word.
template <class M>
M role(M roles, Columns columns) {
  return columns.size == 0 ? M() : M(roles.data + columns.begin, roles.rows, columns.size, roles.stride);
}

template <class T>
std::span<T> of(const Block& block, std::span<T> weights) {
  return weights.subspan(block.offset, block.size());
}

PartFactors factors_of(const RoleColumns::Part& columns, ConstMatrix roles, const PartWeights& weights) {
  return {.grandparents = role(roles, columns.grandparent),
          .heads = role(roles, columns.head),
          .second_siblings = role(roles, columns.second_sibling),
          .siblings = role(roles, columns.sibling),
          .modifiers = role(roles, columns.modifier),
          .no_grandparent = weights.no_grandparent,
          .no_sibling = weights.no_sibling,
          .no_second_sibling = weights.no_second_sibling,
          .weights = weights.weights};
}

}  // namespace

AllPartWeights LowRankParts::weights_in(std::span<const float> weights) const {
  AllPartWeights all;
  for (const PartKind kind : kAllPartKinds) {
    const NetworkBlocks::Part& blocks = blocks_.part(kind);
    all[static_cast<std::size_t>(kind)] = {of(blocks.weights, weights), of(blocks.no_sibling, weights),
                                           of(blocks.no_second_sibling, weights),
                                           of(blocks.no_grandparent, weights)};
  }
  return all;
}

void LowRankParts::score(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts,
                         Potentials& potentials) {
  score(roles, weights_in(weights), parts, potentials);
}

void LowRankParts::score(ConstMatrix roles, const AllPartWeights& weights, const PartIndex& parts,
                         Potentials& potentials) {
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (kind == PartKind::arc) continue;
    add_part_products(parts, kind,
                      factors_of(columns_.part(kind), roles, weights[static_cast<std::size_t>(kind)]), 1.0,
                      potentials[kind]);
  }
}

void LowRankParts::backward(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts,
                            const PartValues& coefficients, Matrix role_gradient,
                            std::span<float> gradients) {
  const AllPartWeights all = weights_in(weights);
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (kind == PartKind::arc) continue;
    const RoleColumns::Part& columns = columns_.part(kind);
    const NetworkBlocks::Part& blocks = blocks_.part(kind);
    add_part_gradients(parts, kind, factors_of(columns, roles, all[static_cast<std::size_t>(kind)]),
                       coefficients[kind],
                       {.grandparents = role(role_gradient, columns.grandparent),
                        .heads = role(role_gradient, columns.head),
                        .second_siblings = role(role_gradient, columns.second_sibling),
                        .siblings = role(role_gradient, columns.sibling),
                        .modifiers = role(role_gradient, columns.modifier),
                        .no_grandparent = of(blocks.no_grandparent, gradients),
                        .no_sibling = of(blocks.no_sibling, gradients),
                        .no_second_sibling = of(blocks.no_second_sibling, gradients),
                        .weights = of(blocks.weights, gradients)});
  }
}

}  // namespace copse
