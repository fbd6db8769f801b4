// Random sentences, candidates, roles of words and weights, for what scores parts of low rank.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "inference/tree_parts.h"
#include "network/part_products.h"
#include "random_numbers.h"

namespace copse::testing {

// The arrays of PartFactors, or of their gradients: first the matrices, then single rows.
enum PartArray : std::size_t {
  kGrandparents,
  kHeads,
  kSecondSiblings,
  kSiblings,
  kModifiers,
  kNoGrandparent,
  kNoSibling,
  kNoSecondSibling,
  kWeights,
};
inline constexpr std::size_t kPartArrays = kWeights + 1;

struct PartArrayValues {
  std::array<std::vector<float>, kPartArrays> numbers;

  ConstMatrix matrix(std::size_t which, std::size_t rank) const {
    return {numbers[which].data(), numbers[which].size() / rank, rank};
  }
  PartFactors factors(std::size_t rank) const {
    return {.grandparents = matrix(kGrandparents, rank),
            .heads = matrix(kHeads, rank),
            .second_siblings = matrix(kSecondSiblings, rank),
            .siblings = matrix(kSiblings, rank),
            .modifiers = matrix(kModifiers, rank),
            .no_grandparent = numbers[kNoGrandparent],
            .no_sibling = numbers[kNoSibling],
            .no_second_sibling = numbers[kNoSecondSibling],
            .weights = numbers[kWeights]};
  }
  PartFactorGradients gradients(std::size_t rank) {
    const auto rows = [&](std::size_t which) {
      return Matrix(numbers[which].data(), numbers[which].size() / rank, rank);
    };
    return {.grandparents = rows(kGrandparents),
            .heads = rows(kHeads),
            .second_siblings = rows(kSecondSiblings),
            .siblings = rows(kSiblings),
            .modifiers = rows(kModifiers),
            .no_grandparent = numbers[kNoGrandparent],
            .no_sibling = numbers[kNoSibling],
            .no_second_sibling = numbers[kNoSecondSibling],
            .weights = numbers[kWeights]};
  }
};

struct PartCase {
  std::size_t rank;
  ArcSet arcs;
  PartIndex parts;
  PartArrayValues values;

  PartCase(std::mt19937_64& random, Factorization factorization) : rank(16 * (1 + random() % 5)) {
    const int words = 1 + static_cast<int>(random() % 9);
    std::vector<Arc> some;
    const double share = random() % 3 == 0 ? 1.0 : 0.5;
    for (int head = 0; head <= words; ++head) {
      for (int modifier = 1; modifier <= words; ++modifier) {
        if (head != modifier && std::uniform_real_distribution<double>(0, 1)(random) < share) {
          some.push_back({head, modifier});
        }
      }
    }
    arcs.assign(words, some);
    parts.assign(arcs, factorization);
    for (std::size_t which = 0; which < kPartArrays; ++which) {
      const std::size_t rows = which <= kModifiers ? static_cast<std::size_t>(words) + 1 : 1;
      values.numbers[which] = normal_numbers(random, rows * rank);
    }
  }

  // By definition, in double precision.
  std::vector<double> expected(PartKind kind) const {
    std::vector<double> sums;
    const auto add = [&](const PartWords& words) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) {
        const auto row = [&](PartArray which) -> double { return values.numbers[which][k]; };
        const auto of = [&](int word, PartArray which) -> double {
          return values.numbers[which][static_cast<std::size_t>(word) * rank + k];
        };
        const bool is_innermost = words.sibling == words.head;
        double product = row(kWeights) * of(words.head, kHeads) * of(words.modifier, kModifiers);
        if (has_sibling(kind)) product *= is_innermost ? row(kNoSibling) : of(words.sibling, kSiblings);
        if (has_second_sibling(kind) && !is_innermost) {
          product *= words.second_sibling == words.head ? row(kNoSecondSibling)
                                                        : of(words.second_sibling, kSecondSiblings);
        }
        if (has_grandparent(kind)) {
          product *= words.head == 0 ? row(kNoGrandparent) : of(words.grandparent, kGrandparents);
        }
        sum += product;
      }
      sums.push_back(sum);
    };
    if (parts.count(kind) == 0) return sums;
    const auto add_all = [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
      ((kind == kAllPartKinds[kKinds] ? for_each_part<kAllPartKinds[kKinds]>(parts, add) : void()), ...);
    };
    add_all(std::make_index_sequence<kPartKinds>());
    return sums;
  }
};

}  // namespace copse::testing
