#include "copse/inference/part_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "inference/random_cases.h"

namespace copse::testing {
namespace {

bool exists(const ArcSet& arcs, Order order, const Part& part) {
  const auto& [grandparent, head, sibling, modifier, second_sibling, is_outermost] = part;
  if (head == modifier || arcs.find(head, modifier) == ArcSet::kNone) return false;
  const auto [low, high] = std::minmax(head, modifier);
  if (names_sibling(order) && sibling != head) {
    if (sibling <= low || sibling >= high || arcs.find(head, sibling) == ArcSet::kNone) return false;
  }
  if (names_second_sibling(order) && second_sibling != head) {
    if (sibling == head) return false;
    const auto [inner, outer] = std::minmax(head, sibling);
    if (second_sibling <= inner || second_sibling >= outer) return false;
    if (arcs.find(head, second_sibling) == ArcSet::kNone) return false;
  }
  if (!names_grandparent(order)) return true;
  if (head == 0) return grandparent == 0;
  if (grandparent >= low && grandparent <= high) return false;
  return arcs.find(grandparent, head) != ArcSet::kNone;
}

void expect_position_exactly_if_part_exists(const PartIndex& parts, Order order) {
  PartIndex::Position existing = 0;
  for_each_conceivable_part(order, parts.words(), [&](const Part& part) {
    const bool is_there = exists(parts.arcs(), order, part);
    existing += is_there ? 1 : 0;
    EXPECT_EQ(position(parts, order, part) != PartIndex::kNone, is_there) << to_string(part);
  });
  EXPECT_EQ(count(parts, order), existing);
}

// The documented order of grandparents: heads to the right of the word, then heads to its left, each
// ascending.
std::vector<int> heads_by_rank(const ArcSet& arcs, int word) {
  std::vector<int> heads;
  if (word == 0) return {0};
  for (int head = word + 1; head <= arcs.words(); ++head) {
    if (arcs.find(head, word) != ArcSet::kNone) heads.push_back(head);
  }
  for (int head = 0; head < word; ++head) {
    if (arcs.find(head, word) != ArcSet::kNone) heads.push_back(head);
  }
  return heads;
}

void expect_documented_ranks(const PartIndex& parts) {
  const ArcSet& arcs = parts.arcs();
  for (int word = 0; word <= parts.words(); ++word) {
    const std::vector<int> heads = heads_by_rank(arcs, word);
    for (int rank = 0; rank < static_cast<int>(heads.size()); ++rank) {
      EXPECT_EQ(parts.grandparent(word, rank), heads[rank]);
      if (word == 0) continue;
      EXPECT_EQ(parts.grandparent_rank(arcs.find(heads[rank], word)), rank);
    }
    for (int end = 1; end <= parts.words(); ++end) {
      if (end == word) continue;
      const auto [low, high] = std::minmax(word, end);
      const GrandparentRange range = parts.grandparents(word, end);
      EXPECT_EQ(range.size(), range.last - range.first);
      for (int rank = 0; rank < static_cast<int>(heads.size()); ++rank) {
        const bool is_outside = word == 0 || heads[rank] < low || heads[rank] > high;
        EXPECT_EQ(rank >= range.first && rank < range.last, is_outside) << word << " to " << end;
      }
    }
  }
}

void expect_documented_order(const PartIndex& parts, Order order) {
  const ArcSet& arcs = parts.arcs();
  PartIndex::Position next = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto [head, modifier] = arcs[arc];
    EXPECT_EQ(parts.begin(kind_of(order), arc), next);
    std::vector<int> siblings{head};
    const int step = head < modifier ? 1 : -1;
    for (int word = head + step; names_sibling(order) && word != modifier; word += step)
      siblings.push_back(word);
    for (int sibling : siblings) {
      for (int second : names_second_sibling(order) ? siblings : std::vector<int>{head}) {
        for (int grandparent : names_grandparent(order) ? heads_by_rank(arcs, head) : std::vector<int>{0}) {
          const Part part{grandparent, head, sibling, modifier, second};
          if (!exists(arcs, order, part)) continue;
          EXPECT_EQ(position(parts, order, part), next++) << to_string(part);
        }
      }
    }
  }
  EXPECT_EQ(next, count(parts, order));
}

void expect_extents_of_blocks(const PartIndex& parts) {
  for (int arc = 0; arc < parts.arcs().size(); ++arc) {
    const auto [head, modifier] = parts.arcs()[arc];
    int siblings = 0;
    for (int word = 0; word <= parts.words(); ++word) {
      siblings += exists(parts.arcs(), Order::sibling, {0, head, word, modifier}) ? 1 : 0;
    }
    EXPECT_EQ(parts.slots(arc), has_siblings(parts.factorization()) ? siblings : 1);
  }
}

TEST(PartIndex, HoldsExactlyThePartsThatCanBe) {
  ArcSet arcs;
  PartIndex parts;
  PartValues values;
  for (int number = 0; number < scaled(400); ++number) {
    Generator random = case_generator(number);
    const int words = uniform_int(random, 1, 9);
    arcs.assign(words, random_arcs(random, words, uniform(random, 0.1, 1.2)));
    for (Factorization factorization : kFactorizations) {
      SCOPED_TRACE(case_name(number) + " words " + std::to_string(words) + " " +
                   std::string(name(factorization)));
      parts.assign(arcs, factorization);
      EXPECT_EQ(parts.factorization(), factorization);
      EXPECT_EQ(&parts.arcs(), &arcs);
      expect_extents_of_blocks(parts);
      if (has_grandparents(factorization)) expect_documented_ranks(parts);
      values.assign(parts, 0.5);
      const std::span<const Order> present = orders_of(factorization);
      for (Order order : kOrders) {
        SCOPED_TRACE(to_string(order));
        EXPECT_EQ(values_of(values, order), std::vector<double>(count(parts, order), 0.5));
        if (std::find(present.begin(), present.end(), order) == present.end()) {
          EXPECT_EQ(count(parts, order), 0);
        } else {
          expect_position_exactly_if_part_exists(parts, order);
          expect_documented_order(parts, order);
        }
      }
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace copse::testing
