#include "sequence/chain_distribution.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sequence/chain_enumeration.h"

namespace copse::testing {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

struct Chain {
  std::vector<int> candidates;
  ChainParts parts;
  ChainValues potentials;
};

Chain make_chain(int order, std::vector<int> candidates, const std::function<double()>& draw) {
  Chain chain{std::move(candidates), {}, {}};
  chain.parts.assign(order, chain.candidates);
  chain.potentials.assign(chain.parts);
  fill(chain.potentials, draw);
  return chain;
}

Chain random_chain(Generator& random, double spread, double forbidden = 0.0) {
  std::normal_distribution<double> normal(0.0, spread);
  std::bernoulli_distribution is_forbidden(forbidden);
  const int order = uniform(random, 0, 2);
  return make_chain(order, random_candidates(random, uniform(random, 1, 6), 4),
                    [&] { return is_forbidden(random) ? kForbidden : normal(random); });
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) EXPECT_NEAR(actual[k], expected[k], tolerance) << k;
}

void expect_equals_enumeration(const Chain& chain, ChainDistribution& distribution, Arithmetic arithmetic) {
  const NaiveChain naive = enumerate(chain.parts, chain.candidates, chain.potentials);
  distribution.assign(chain.parts, chain.potentials, arithmetic);
  std::vector<int> labels(chain.candidates.size());
  if (naive.best_score == kForbidden) {
    ++case_counts().infeasible;
    EXPECT_THROW(distribution.log_partition(), InfeasibleError);
    EXPECT_THROW(distribution.marginals(), InfeasibleError);
    EXPECT_THROW(distribution.entropy(), InfeasibleError);
    EXPECT_THROW(distribution.best(labels), InfeasibleError);
    return;
  }
  const double scale = std::max(1.0, std::abs(naive.best_score));
  EXPECT_NEAR(distribution.best(labels), naive.best_score, 1e-13 * scale);
  EXPECT_NEAR(naive_score(chain.parts, chain.potentials, labels), naive.best_score, 1e-13 * scale);
  EXPECT_NEAR(distribution.score(labels), naive.best_score, 1e-13 * scale);
  EXPECT_NEAR(distribution.log_partition(), naive.log_partition, 1e-12 * scale);
  EXPECT_NEAR(distribution.entropy(), naive.entropy, 1e-10 * scale);
  expect_near(distribution.marginals().labels, naive.marginals.labels, 1e-11 * scale);
  expect_near(distribution.marginals().pairs, naive.marginals.pairs, 1e-11 * scale);
  expect_near(distribution.marginals().triples, naive.marginals.triples, 1e-11 * scale);
}

TEST(ChainDistribution, EqualsEnumeration) {
  ChainDistribution distribution;
  for (int number = 0; number < scaled(600); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    const Chain chain = random_chain(random, 2.0);
    expect_equals_enumeration(chain, distribution, Arithmetic::linear);
    expect_equals_enumeration(chain, distribution, Arithmetic::log);
    if (HasFailure()) return;
  }
}

TEST(ChainDistribution, EqualsEnumerationForAnyMagnitudeAndForbiddenParts) {
  ChainDistribution distribution;
  for (int number = 0; number < scaled(600); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    expect_equals_enumeration(random_chain(random, 2000.0), distribution, Arithmetic::automatic);
    expect_equals_enumeration(random_chain(random, 30.0), distribution, Arithmetic::automatic);
    expect_equals_enumeration(random_chain(random, 1.0, 0.2), distribution, Arithmetic::automatic);
    if (HasFailure()) return;
  }
}

// The marginals are the gradient of the log-partition function.
TEST(ChainDistribution, MarginalsAreFiniteDifferences) {
  ChainDistribution distribution;
  for (int number = 0; number < scaled(60); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    Chain chain = random_chain(random, 1.5);
    distribution.assign(chain.parts, chain.potentials);
    const ChainValues marginals = distribution.marginals();
    const auto compare = [&](std::vector<double>& potentials, const std::vector<double>& expected) {
      constexpr double kStep = 1e-5;
      for (std::size_t k = 0; k < potentials.size(); ++k) {
        const double middle = potentials[k];
        const auto value_at = [&](double potential) {
          potentials[k] = potential;
          distribution.assign(chain.parts, chain.potentials);
          return distribution.log_partition();
        };
        const double difference = value_at(middle + kStep) - value_at(middle - kStep);
        potentials[k] = middle;
        EXPECT_NEAR(difference / (2 * kStep), expected[k], 1e-8);
      }
    };
    compare(chain.potentials.labels, marginals.labels);
    compare(chain.potentials.pairs, marginals.pairs);
    compare(chain.potentials.triples, marginals.triples);
    if (HasFailure()) return;
  }
}

// Long chains, where enumeration cannot follow: both arithmetics agree, marginals sum up to one everywhere,
// and the probability of the best sequence is that of its score.
TEST(ChainDistribution, LongChains) {
  constexpr int kLongChain = 100'000;
  for (int order = 0; order <= 2; ++order) {
    SCOPED_TRACE(order);
    Generator random = case_generator(order);
    std::normal_distribution<double> normal(0.0, 3.0);
    const Chain chain =
        make_chain(order, random_candidates(random, scaled(kLongChain), 4), [&] { return normal(random); });
    ChainDistribution linear;
    linear.assign(chain.parts, chain.potentials, Arithmetic::linear);
    ChainDistribution log;
    log.assign(chain.parts, chain.potentials, Arithmetic::log);
    EXPECT_NEAR(linear.log_partition() / log.log_partition(), 1.0, 1e-13);
    EXPECT_NEAR(linear.entropy() / log.entropy(), 1.0, 1e-9);
    expect_near(linear.marginals().labels, log.marginals().labels, 1e-11);
    for (int t = 0; t < chain.parts.size(); ++t) {
      double sum = 0.0;
      for (int label = 0; label < chain.parts.candidates(t); ++label) {
        sum += linear.marginals().labels[chain.parts.label(t, label)];
      }
      ASSERT_NEAR(sum, 1.0, 1e-11) << t;
    }
    std::vector<int> best(static_cast<std::size_t>(chain.parts.size()));
    const double score = linear.best(best);
    EXPECT_NEAR(linear.score(best) / score, 1.0, 1e-12);
    EXPECT_LE(score, linear.log_partition());
    // No single change makes it better.
    for (int t = 0; t < chain.parts.size(); t += chain.parts.size() / 10 + 1) {
      std::vector<int> changed = best;
      int& label = changed[static_cast<std::size_t>(t)];
      label = (label + 1) % chain.parts.candidates(t);
      EXPECT_LE(linear.score(changed), score + 1e-9 * std::abs(score));
    }
  }
}

TEST(ChainDistribution, LinearArithmeticIsRefusedWhereItWouldLosePrecision) {
  Chain chain = make_chain(1, {2, 2, 2}, [] { return 0.0; });
  chain.potentials.labels[3] = -1000.0;
  ChainDistribution distribution;
  distribution.assign(chain.parts, chain.potentials, Arithmetic::linear);
  EXPECT_THROW(distribution.log_partition(), std::range_error);
  distribution.assign(chain.parts, chain.potentials);
  EXPECT_NEAR(distribution.log_partition(), std::log(4.0), 1e-12);
}

TEST(ChainDistribution, EmptyChainHasOneSequence) {
  for (int order = 0; order <= 2; ++order) {
    const Chain chain = make_chain(order, {}, [] { return 0.0; });
    ChainDistribution distribution;
    distribution.assign(chain.parts, chain.potentials);
    EXPECT_EQ(distribution.log_partition(), 0.0);
    EXPECT_EQ(distribution.entropy(), 0.0);
    EXPECT_EQ(distribution.best({}), 0.0);
  }
}

TEST(ChainDistribution, WrongInputIsRefused) {
  ChainParts parts;
  EXPECT_THROW(parts.assign(3, std::vector<int>{1}), std::invalid_argument);
  EXPECT_THROW(parts.assign(-1, std::vector<int>{1}), std::invalid_argument);
  EXPECT_THROW(parts.assign(1, std::vector<int>{1, 0}), std::invalid_argument);
  Chain chain = make_chain(1, {2, 2}, [] { return 0.0; });
  ChainDistribution distribution;
  chain.potentials.pairs[1] = std::nan("");
  EXPECT_THROW(distribution.assign(chain.parts, chain.potentials), std::invalid_argument);
  chain.potentials.pairs[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(distribution.assign(chain.parts, chain.potentials), std::invalid_argument);
  chain.potentials.pairs.pop_back();
  EXPECT_THROW(distribution.assign(chain.parts, chain.potentials), std::invalid_argument);
}

}  // namespace
}  // namespace copse::testing
