#include "inference/tree_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <tuple>
#include <vector>

#include "inference/random_cases.h"

namespace copse::testing {
namespace {

using Words = std::tuple<PartKind, int, int, int, int, int>;

Words words_of(PartKind kind, const PartWords& words) {
  return {kind,
          has_grandparent(kind) ? words.grandparent : -1,
          words.head,
          has_second_sibling(kind) ? words.second_sibling : -1,
          has_sibling(kind) ? words.sibling : -1,
          words.modifier};
}

// From the definition: the modifier of a head strictly between it and a word that is nearest to the word, or
// the head.
int next_inside(const Heads& heads, int head, int outer) {
  int nearest = head;
  for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
    const bool is_between = std::min(head, outer) < word && word < std::max(head, outer);
    if (!is_between || heads[word] != head) continue;
    if (std::abs(word - outer) < std::abs(nearest - outer)) nearest = word;
  }
  return nearest;
}

bool is_one_of(Factorization factorization, std::initializer_list<Factorization> list) {
  return std::find(list.begin(), list.end(), factorization) != list.end();
}

std::multiset<Words> expected_parts(const Heads& heads, Factorization factorization) {
  std::multiset<Words> parts;
  for (int modifier = 1; modifier < static_cast<int>(heads.size()); ++modifier) {
    const int head = heads[modifier];
    if (head < 0) continue;
    const int sibling = next_inside(heads, head, modifier);
    const int second = sibling == head ? head : next_inside(heads, head, sibling);
    const int grandparent = head == 0 ? 0 : heads[head];
    const bool is_known = grandparent >= 0;
    const bool siblings = !is_one_of(factorization, {Factorization::first, Factorization::grandchild});
    const bool grandparents =
        !is_one_of(factorization, {Factorization::first, Factorization::sibling, Factorization::outermost});
    const bool seconds =
        is_one_of(factorization, {Factorization::trisibling, Factorization::grandtrisibling});
    const int end = modifier < head ? 0 : static_cast<int>(heads.size());
    bool is_last = true;
    for (int word = modifier; word != end; word += modifier < head ? -1 : 1) {
      is_last = is_last && (word == modifier || heads[word] != head);
    }
    parts.insert({PartKind::arc, -1, head, -1, -1, modifier});
    if (siblings) parts.insert({PartKind::sibling, -1, head, -1, sibling, modifier});
    if (seconds) parts.insert({PartKind::trisibling, -1, head, second, sibling, modifier});
    if (!is_known) continue;
    if (grandparents) parts.insert({PartKind::grandchild, grandparent, head, -1, -1, modifier});
    if (siblings && grandparents) {
      parts.insert({PartKind::grandsibling, grandparent, head, -1, sibling, modifier});
    }
    if (factorization == Factorization::outermost && is_last) {
      parts.insert({PartKind::outermost, grandparent, head, -1, -1, modifier});
    }
    if (factorization == Factorization::grandtrisibling) {
      parts.insert({PartKind::grandtrisibling, grandparent, head, second, sibling, modifier});
    }
  }
  return parts;
}

// Of any graph in which words have at most one head: trees that cross and partial trees among them.
Heads random_heads(Generator& random, int words) {
  Heads heads(static_cast<std::size_t>(words) + 1, 0);
  const double unknown = happens(random, 0.5) ? 0.3 : 0.0;
  for (int word = 1; word <= words; ++word) {
    do heads[word] = uniform_int(random, 0, words);
    while (heads[word] == word);
    if (happens(random, unknown)) heads[word] = -1;
  }
  return heads;
}

TEST(TreeParts, AreThoseOfTheDefinition) {
  for (int number = 0; number < scaled(300); ++number) {
    Generator random = case_generator(number);
    const Heads heads = random_heads(random, uniform_int(random, 1, 12));
    for (const Factorization factorization : kFactorizations) {
      SCOPED_TRACE(case_name(number));
      std::multiset<Words> parts;
      std::multiset<Words> labelled;
      int last = 0;
      for_each_part_of_tree(heads, factorization, [&](PartKind kind, const PartWords& words) {
        EXPECT_GE(words.modifier, last);
        last = words.modifier;
        parts.insert(words_of(kind, words));
      });
      for_each_labelled_part_of_tree(heads, factorization, [&](const PartWords& words) {
        labelled.insert(words_of(labelled_kind(factorization), words));
      });
      EXPECT_EQ(parts, expected_parts(heads, factorization));
      std::erase_if(parts,
                    [&](const Words& part) { return std::get<0>(part) != labelled_kind(factorization); });
      EXPECT_EQ(labelled, parts);
    }
  }
}

template <PartKind kKind>
void expect_all_positions_in_order(const PartIndex& parts) {
  PartIndex::Position next = 0;
  for_each_part<kKind>(parts, [&](const PartWords& words) { EXPECT_EQ(parts.find(kKind, words), next++); });
  EXPECT_EQ(next, parts.count(kKind));
}

TEST(TreeParts, AllPartsComeInTheOrderOfTheirArrays) {
  ArcSet arcs;
  PartIndex parts;
  for (int number = 0; number < scaled(100); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    const int words = uniform_int(random, 1, 9);
    arcs.assign(words, random_arcs(random, words, uniform(random, 0.1, 1.2)));
    for (const Factorization factorization : kFactorizations) {
      parts.assign(arcs, factorization);
      PartIndex::Position sum = 0;
      for (const Order order : orders_of(factorization)) {
        with_part_kind(kind_of(order), [&]<PartKind kKind>() {
          EXPECT_EQ(kKind, kind_of(order));
          expect_all_positions_in_order<kKind>(parts);
          sum += parts.count(kKind);
        });
      }
      EXPECT_EQ(parts.count(), sum);
    }
  }
}

TEST(Factorizations, HaveNames) {
  EXPECT_EQ(kAllFactorizations, kFactorizations);
  for (const Factorization factorization : kFactorizations) {
    EXPECT_EQ(parse_factorization(name(factorization)), factorization);
  }
  for (const PartKind kind : kAllPartKinds) EXPECT_EQ(name(kind), to_string(static_cast<Order>(kind)));
}

}  // namespace
}  // namespace copse::testing
