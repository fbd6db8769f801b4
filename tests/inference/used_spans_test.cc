#include "inference/used_spans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "inference/enumeration.h"
#include "inference/random_cases.h"

namespace copse::testing {
namespace {

// Complete spans by head and end, and arcs by head and modifier.
using Pairs = std::set<std::pair<int, int>>;

struct Expected {
  bool has_tree = false;
  Pairs arcs;
  Pairs spans;     // of some width
  Pairs optional;  // those that arcs without siblings begin with, used or not
};

// The last word below `head` on the side of `outermost`, of what hangs on modifiers up to that one.
int reach(const Heads& heads, int outermost, int step) {
  int end = outermost;
  for (int word = outermost + step; word > 0 && word < static_cast<int>(heads.size()); word += step) {
    if (!is_ancestor(heads, outermost, word)) break;
    end = word;
  }
  return end;
}

// From the definition: a complete span is a head with all its modifiers on one side, or (without siblings)
// with the nearest ones.
void add_spans_of_tree(const Heads& heads, RootMode root, bool siblings, Expected& expected) {
  const int words = static_cast<int>(heads.size()) - 1;
  for (int head = 0; head <= words; ++head) {
    for (const int step : {-1, 1}) {
      std::vector<int> modifiers;
      for (int word = head + step; word > 0 && word <= words; word += step) {
        if (heads[word] == head) modifiers.push_back(word);
      }
      for (std::size_t i = 0; i < modifiers.size(); ++i) {
        expected.arcs.insert({head, modifiers[i]});
        expected.optional.insert({modifiers[i], head + step});
        const bool is_last = i + 1 == modifiers.size();
        if (siblings && !is_last) continue;
        if (head == 0 && root == RootMode::single && reach(heads, modifiers[i], step) != words) continue;
        expected.spans.insert({head, reach(heads, modifiers[i], step)});
      }
    }
  }
}

Expected from_all_trees(const ArcSet& arcs, const std::vector<std::uint8_t>& allowed, RootMode root,
                        bool siblings) {
  Expected expected;
  for (const Heads& heads : all_projective_trees(arcs.words())) {
    if (root == RootMode::single && !has_single_root(heads)) continue;
    bool is_possible = true;
    for (int m = 1; m <= arcs.words(); ++m) {
      const int arc = arcs.find(heads[m], m);
      is_possible = is_possible && arc != ArcSet::kNone && (allowed.empty() || allowed[arc] != 0);
    }
    if (!is_possible) continue;
    expected.has_tree = true;
    add_spans_of_tree(heads, root, siblings, expected);
  }
  return expected;
}

bool contains(const UsedSpans& used, const Bits* sets, int word, int member) {
  return (sets[word * used.stride() + member / kBits] & bit_of(member)) != 0;
}

Pairs spans_of(const UsedSpans& used, const UsedSpans::Sets& sets, int words) {
  Pairs spans;
  for (int head = 0; head <= words; ++head) {
    EXPECT_TRUE(contains(used, sets.right_ends, head, head));
    EXPECT_TRUE(contains(used, sets.left_ends, head, head));
    for (int end = 0; end <= words; ++end) {
      const bool is_right = end > head && contains(used, sets.right_ends, head, end);
      const bool is_left = end < head && contains(used, sets.left_ends, head, end);
      if (is_right || is_left) spans.insert({head, end});
      if (end > head) {
        EXPECT_EQ(contains(used, sets.right_heads, end, head), is_right) << head << " " << end;
      }
    }
  }
  return spans;
}
Pairs arcs_of(const UsedSpans& used, const ArcSet& arcs) {
  Pairs found;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    if (used.marks()[arc] == UsedSpans::kUsed) found.insert({arcs[arc].head, arcs[arc].modifier});
  }
  return found;
}

TEST(UsedSpans, AreThoseOfAllTrees) {
  UsedSpans used;
  ArcSet arcs;
  for (int i = 0; i < scaled(3000); ++i) {
    Generator random = case_generator(i);
    SCOPED_TRACE(case_name(i));
    const int words = uniform_int(random, 1, 6);
    const RootMode root = happens(random, 0.5) ? RootMode::single : RootMode::multi;
    const bool siblings = happens(random, 0.5);
    const Heads tree = happens(random, 0.8) ? random_projective_tree(random, words, root) : Heads();
    arcs.assign(words, random_arcs(random, words, uniform(random, 0.0, 0.7), tree));
    std::vector<std::uint8_t> allowed;
    if (happens(random, 0.3)) {
      for (int arc = 0; arc < arcs.size(); ++arc) allowed.push_back(happens(random, 0.9) ? 1 : 0);
    }
    const Expected expected = from_all_trees(arcs, allowed, root, siblings);
    used.assign(arcs, allowed, root, siblings);
    ASSERT_EQ(used.has_tree(), expected.has_tree);
    if (!expected.has_tree) continue;
    ASSERT_EQ(arcs_of(used, arcs), expected.arcs);
    EXPECT_EQ(used.has_all_arcs(), expected.arcs.size() == static_cast<std::size_t>(arcs.size()));
    Pairs found = spans_of(used, used.used(), words);
    if (siblings) {
      for (const auto& span : expected.optional) {
        if (!expected.spans.contains(span)) found.erase(span);
      }
    }
    ASSERT_EQ(found, expected.spans);
    // What is used can be built.
    const Pairs possible = spans_of(used, used.possible(), words);
    EXPECT_TRUE(std::includes(possible.begin(), possible.end(), found.begin(), found.end()));
  }
}

// Sets of more words than a number has bits. The first words are a sentence of their own, and hang on the
// last word; the words between them have one head each.
TEST(UsedSpans, AreTheSameInLongSentences) {
  UsedSpans short_used;
  UsedSpans long_used;
  ArcSet short_arcs;
  ArcSet long_arcs;
  for (int i = 0; i < scaled(300); ++i) {
    Generator random = case_generator(i);
    SCOPED_TRACE(case_name(i));
    const int words = uniform_int(random, 1, 60);
    const int before = uniform_int(random, 0, 130);
    const int after = uniform_int(random, std::max(0, 64 - words - before), 130);
    const bool siblings = happens(random, 0.5);
    const Heads tree = random_projective_tree(random, words, RootMode::single);
    std::vector<Arc> arcs = random_arcs(random, words, uniform(random, 0.0, 4.0 / words), tree);
    short_arcs.assign(words, arcs);
    short_used.assign(short_arcs, {}, RootMode::single, siblings);
    ASSERT_TRUE(short_used.has_tree());
    // Word w becomes word before + w. Its root is the word before it, on which those after it hang, too.
    for (Arc& arc : arcs) arc = {arc.head + before, arc.modifier + before};
    if (before > 0) {
      for (int m = 1; m <= before; ++m) arcs.push_back({m - 1, m});
    }
    for (int m = before + words + 1; m <= before + words + after; ++m) {
      arcs.push_back({m == before + words + 1 ? 0 : m - 1, m});
    }
    long_arcs.assign(before + words + after, arcs);
    long_used.assign(long_arcs, {}, RootMode::multi, siblings);
    ASSERT_TRUE(long_used.has_tree());
    Pairs expected;
    for (const auto& [head, modifier] : arcs_of(short_used, short_arcs)) {
      expected.insert({head + before, modifier + before});
    }
    Pairs found;
    for (const auto& [head, modifier] : arcs_of(long_used, long_arcs)) {
      if (head >= before && modifier > before && modifier <= before + words && head <= before + words) {
        found.insert({head, modifier});
      }
    }
    // Several words may hang on the root there, so more is possible.
    ASSERT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
    short_used.assign(short_arcs, {}, RootMode::multi, siblings);
    expected.clear();
    for (const auto& [head, modifier] : arcs_of(short_used, short_arcs)) {
      expected.insert({head + before, modifier + before});
    }
    ASSERT_EQ(found, expected);
    // Spans of all words but the root, whose part here is one of the words.
    Pairs short_spans;
    for (const auto& [head, end] : spans_of(short_used, short_used.used(), words)) {
      if (head > 0) short_spans.insert({head + before, end + before});
    }
    Pairs long_spans;
    for (const auto& [head, end] : spans_of(long_used, long_used.used(), before + words + after)) {
      if (head > before && head <= before + words) long_spans.insert({head, end});
    }
    ASSERT_EQ(long_spans, short_spans);
  }
}

TEST(UsedSpans, AllOfThemAreEverythingThatCanBeBuilt) {
  UsedSpans all;
  UsedSpans found;
  ArcSet arcs;
  for (const int words : {1, 2, 5, 62, 63, 64, 65, 130}) {
    arcs.assign_all(words);
    all.assign_all(arcs);
    found.assign(arcs, {}, RootMode::multi, false);
    EXPECT_TRUE(all.has_tree() && all.has_all_arcs());
    EXPECT_TRUE(found.has_tree() && found.has_all_arcs());
    const Pairs spans = spans_of(all, all.used(), words);
    const Pairs possible = spans_of(found, found.possible(), words);
    EXPECT_EQ(spans, possible) << words << " words";
  }
}

}  // namespace
}  // namespace copse::testing
