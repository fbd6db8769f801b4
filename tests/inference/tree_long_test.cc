// Sentences of hundreds of words: linear arithmetic with gains per word against the log domain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/long_sentences.h"
#include "inference/operations.h"
#include "numeric/numbers.h"

namespace copse::testing {
namespace {

enum class Spread {
  none,   // all trees weigh the same
  small,  // as those of a model that is nearly sure of nothing
  normal,
  large,
  impossible,  // some parts are
  half,        // the second half of the sentence loses a lot per word, the first half nothing
  waves,       // as above, every fifty words
  far,         // short arcs lose a lot, which short spans cannot know
};
constexpr std::array kSpreads{Spread::none,       Spread::small, Spread::normal, Spread::large,
                              Spread::impossible, Spread::half,  Spread::waves,  Spread::far};
constexpr std::string_view name(Spread spread) {
  constexpr std::array<std::string_view, kSpreads.size()> names{"none",       "small", "normal", "large",
                                                                "impossible", "half",  "waves",  "far"};
  return names[static_cast<std::size_t>(spread)];
}

double draw(Generator& random, Spread spread, int words, const Arc& arc, bool of_arc) {
  const double x = std::normal_distribution<double>()(random);
  switch (spread) {
    case Spread::none:
      return 0.0;
    case Spread::small:
      return 0.2 * x;
    case Spread::normal:
      return x;
    case Spread::large:
      return 4.0 * x;
    case Spread::impossible:
      return happens(random, 0.02) && !of_arc ? kMinusInfinity : x;
    case Spread::half:
      return (arc.modifier > words / 2 ? 6.0 : 0.05) * x;
    case Spread::waves:
      return (arc.modifier / 50 % 2 == 0 ? 6.0 : 0.05) * x +
             (arc.modifier / 50 % 3 == 0 && of_arc ? 300.0 : 0.0);
    case Spread::far:
      return x - (of_arc && std::abs(arc.head - arc.modifier) < words / 4 ? 8.0 : 0.0);
  }
  return x;
}

// Around a tree or around a chain; near to each other, as pruning leaves them, or anywhere.
std::vector<Arc> draw_arcs(Generator& random, int words, RootMode root, std::string& text) {
  const bool is_chain = happens(random, 0.5);
  const bool is_near = happens(random, 0.5);
  text += is_chain ? " around a chain" : " around a tree";
  text += is_near ? ", near" : ", anywhere";
  Heads tree = random_projective_tree(random, words, root);
  if (is_chain) {
    for (int m = 1; m <= words; ++m) tree[m] = m - 1;
  }
  if (!is_near) return random_arcs(random, words, 4.0 / words, tree);
  std::vector<Arc> arcs;
  for (int m = 1; m <= words; ++m) {
    arcs.push_back({tree[m], m});
    for (int i = 0; i < 4; ++i) {
      const int head = m + uniform_int(random, -8, 8);
      if (head >= 0 && head <= words && head != m) arcs.push_back({head, m});
    }
  }
  return arcs;
}

void draw_potentials(Generator& random, Spread spread, LibraryInput& input) {
  for (const PartKind kind : part_kinds(input.parts.factorization())) {
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      for (auto i = input.parts.begin(kind, arc); i < input.parts.begin(kind, arc + 1); ++i) {
        input.potentials[kind][i] =
            draw(random, spread, input.words(), input.arcs[arc], kind == PartKind::arc);
      }
    }
  }
}

void expect_same_answers(const LibraryInput& input, TreeDistribution& fast, TreeDistribution& reference) {
  expect_close(reference.log_partition(), fast.log_partition(), "log-partition");
  EXPECT_NEAR(reference.entropy(), fast.entropy(),
              kTolerance * std::max(1.0, std::abs(reference.log_partition())));
  for (Order order : orders_of(input.parts.factorization())) {
    EXPECT_LE(largest_difference(values_of(reference.marginals(), order), values_of(fast.marginals(), order)),
              kTolerance)
        << to_string(order);
  }
  expect_coherent(input.parts, fast.marginals());
  Heads heads = no_heads(input.words());
  const double expected_right = reference.min_risk_tree(heads);
  EXPECT_NEAR(fast.min_risk_tree(heads), expected_right, kTolerance * input.words());
}

// The mean log-probability of samples is the entropy, with the other sign, give or take rare trees that
// matter only where there are hardly any others. Scales that do not fit the chart would choose other trees.
void expect_fair_samples(const LibraryInput& input, TreeDistribution& distribution, Generator& random) {
  constexpr int kSamples = 40;
  Heads heads = no_heads(input.words());
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kSamples; ++i) {
    const double score = distribution.sample(random, heads);
    ASSERT_EQ(score, distribution.score(heads));
    const double x = distribution.log_probability(heads);
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kSamples;
  const double variance = std::max(0.0, squares / kSamples - mean * mean) / (kSamples - 1);
  EXPECT_NEAR(mean, -distribution.entropy(), 6.0 * std::sqrt(variance) + 1.0);
}

class LongSentences : public ::testing::TestWithParam<Factorization> {
 protected:
  // Calls check(input, spread, random) for random sentences.
  template <class Check>
  void for_each_case(int cases, Check check) {
    LibraryInput input;
    for (int i = 0; i < scaled(cases); ++i) {
      const int number = 1000 * static_cast<int>(GetParam()) + i;
      Generator random = case_generator(number);
      const Spread spread = kSpreads[static_cast<std::size_t>(i) % kSpreads.size()];
      const int words = uniform_int(random, 120, 420);
      const RootMode root = happens(random, 0.5) ? RootMode::single : RootMode::multi;
      std::string text = case_name(number) + ": words " + std::to_string(words) + " " +
                         std::string(name(GetParam())) + " " + std::string(name(root)) + " " +
                         std::string(name(spread));
      const std::vector<Arc> arcs = draw_arcs(random, words, root, text);
      SCOPED_TRACE(text);
      input.assign_candidates(words, GetParam(), root, arcs);
      draw_potentials(random, spread, input);
      check(input, spread, random);
    }
  }
  TreeDistribution fast_;
  TreeDistribution reference_;
};

INSTANTIATE_TEST_SUITE_P(EveryFactorization, LongSentences, ::testing::ValuesIn(kFactorizations),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(LongSentences, FastAgreesWithTheLogDomain) {
  for_each_case(16, [&](const LibraryInput& input, Spread spread, Generator& random) {
    input.give_to(reference_, Arithmetic::log);
    input.give_to(fast_, Arithmetic::automatic);
    try {
      reference_.log_partition();
    } catch (const InfeasibleError&) {
      ASSERT_EQ(spread, Spread::impossible);
      ++case_counts().infeasible;
      EXPECT_THROW(fast_.log_partition(), InfeasibleError);
      return;
    }
    expect_same_answers(input, fast_, reference_);
    if (fast_.arithmetic_used() == Arithmetic::log) {
      ++case_counts().refused_by_linear;
      // The others may lose more in a few words than short spans can tell.
      EXPECT_TRUE(spread != Spread::none && spread != Spread::small && spread != Spread::normal)
          << "fell back";
    }
    expect_fair_samples(input, fast_, random);
  });
}

// Half of the heads of a sample are required, and some arcs that it does not have are forbidden.
TEST_P(LongSentences, FastAgreesUnderConstraints) {
  for_each_case(4, [&](LibraryInput& input, Spread /*spread*/, Generator& random) {
    draw_potentials(random, Spread::normal, input);
    input.give_to(reference_, Arithmetic::log);
    Heads heads = no_heads(input.words());
    reference_.sample(random, heads);
    input.constraints.heads.assign(heads.size(), Constraints::kAnyHead);
    for (int m = 1; m <= input.words(); ++m) {
      if (happens(random, 0.5)) input.constraints.heads[m] = heads[m];
    }
    for (const Arc& arc : input.arcs.all()) {
      if (heads[arc.modifier] != arc.head && happens(random, 0.3)) input.constraints.forbidden.push_back(arc);
    }
    input.give_to(reference_, Arithmetic::log);
    input.give_to(fast_, Arithmetic::linear);
    expect_same_answers(input, fast_, reference_);
    EXPECT_EQ(fast_.arithmetic_used(), Arithmetic::linear);
    expect_fair_samples(input, fast_, random);
  });
}

// Speed depends on it: a thousand words with five candidate heads each.
TEST_P(LongSentences, AThousandWordsAreLinear) {
  LibraryInput input;
  Generator random = case_generator(9000 + static_cast<int>(GetParam()));
  SCOPED_TRACE(case_name(9000 + static_cast<int>(GetParam())));
  constexpr int kWords = 1000;
  Heads chain = no_heads(kWords);
  for (int m = 1; m <= kWords; ++m) chain[m] = m - 1;
  input.assign_random(random, kWords, GetParam(), RootMode::single,
                      random_arcs(random, kWords, 4.0 / kWords, chain), PotentialKind::normal);
  input.give_to(fast_, Arithmetic::automatic);
  const double log_z = fast_.log_partition();
  EXPECT_EQ(fast_.arithmetic_used(), Arithmetic::linear);
  input.give_to(reference_, Arithmetic::log);
  expect_close(reference_.log_partition(), log_z, "log-partition");
  expect_same_answers(input, fast_, reference_);
  expect_fair_samples(input, fast_, random);
  // Marginals that have been moved away are computed again.
  Marginals first;
  fast_.move_marginals_to(first);
  EXPECT_EQ(first.arc, fast_.marginals().arc);
}

// All arcs are another layout, of charts or of joins.
TEST_P(LongSentences, AllArcsAreLinear) {
  LibraryInput input;
  const int number = 9300 + static_cast<int>(GetParam());
  Generator random = case_generator(number);
  SCOPED_TRACE(case_name(number));
  const bool is_cubic = GetParam() == Factorization::first || GetParam() == Factorization::sibling;
  const int words = GetParam() == Factorization::first ? 330
                    : is_cubic                         ? 220
                    : has_second_siblings(GetParam())  ? 24
                                                       : 70;
  for (const RootMode root : kRootModes) {
    input.assign_candidates(words, GetParam(), root, random_arcs(random, words, 1));
    draw_potentials(random, GetParam() == Factorization::first ? Spread::normal : Spread::large, input);
    input.give_to(reference_, Arithmetic::log);
    input.give_to(fast_, Arithmetic::linear);
    expect_same_answers(input, fast_, reference_);
    expect_fair_samples(input, fast_, random);
  }
}

TEST_P(LongSentences, PotentialsBeyondTheRangeOfDoublesFallBack) {
  LibraryInput input;
  Generator random = case_generator(9100 + static_cast<int>(GetParam()));
  SCOPED_TRACE(case_name(9100 + static_cast<int>(GetParam())));
  constexpr int kWords = 200;
  input.assign_random(random, kWords, GetParam(), RootMode::multi,
                      sparse_arcs(random, kWords, RootMode::multi), PotentialKind::thousands);
  input.give_to(reference_, Arithmetic::log);
  input.give_to(fast_, Arithmetic::automatic);
  expect_same_answers(input, fast_, reference_);
  EXPECT_EQ(fast_.arithmetic_used(), Arithmetic::log);
  input.give_to(fast_, Arithmetic::linear);
  EXPECT_THROW(fast_.log_partition(), std::range_error);
}

// A chain but for three words, the only heads of which cross: made-up items must not pass for a tree.
TEST_P(LongSentences, NoTreeIsFoundOut) {
  LibraryInput input;
  Generator random = case_generator(9200 + static_cast<int>(GetParam()));
  SCOPED_TRACE(case_name(9200 + static_cast<int>(GetParam())));
  constexpr int kWords = 500;
  std::vector<Arc> arcs;
  for (int m = 1; m <= kWords; ++m) {
    if (m < 250 || m > 252) arcs.push_back({m - 1, m});
  }
  arcs.insert(arcs.end(), {{252, 250}, {249, 251}, {248, 252}});
  input.assign_random(random, kWords, GetParam(), RootMode::single, arcs, PotentialKind::normal);
  under_every_arithmetic(input, false,
                         [&](TreeDistribution& distribution) { expect_infeasible(distribution, kWords); });
}

}  // namespace
}  // namespace copse::testing
