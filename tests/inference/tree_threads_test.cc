// Several threads, each with a workspace of its own, over shared problems: the thread sanitizer watches.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "copse/inference/tree_distribution.h"

namespace copse {
namespace {

struct Problem {
  ArcSet arcs;
  PartIndex parts;
  Potentials potentials;
};

std::unique_ptr<const Problem> make_problem(Factorization factorization, int words, unsigned seed) {
  auto problem = std::make_unique<Problem>();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  problem->arcs.assign_all(words);
  problem->parts.assign(problem->arcs, factorization);
  problem->potentials.assign(problem->parts);
  for (const PartKind kind : part_kinds(factorization)) {
    for (double& x : problem->potentials[kind]) x = normal(random);
  }
  return problem;
}

struct Answers {
  double log_partition = 0.0;
  double entropy = 0.0;
  std::vector<double> arcs;
  std::vector<int> best;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask(TreeDistribution& distribution, const Problem& problem) {
  distribution.assign(problem.parts, problem.potentials, RootMode::single);
  Answers answers;
  answers.log_partition = distribution.log_partition();
  answers.entropy = distribution.entropy();
  answers.arcs = distribution.marginals().arc;
  answers.best.resize(problem.parts.words() + 1);
  distribution.best_tree(answers.best);
  return answers;
}

TEST(TreeThreads, ShareProblemsAndGiveTheAnswersOfOneThread) {
  std::vector<std::unique_ptr<const Problem>> problems;
  for (unsigned i = 0; i < 24; ++i) {
    problems.push_back(make_problem(static_cast<Factorization>(i % 7), 2 + static_cast<int>(i) % 9, i));
  }
  TreeDistribution alone;
  std::vector<Answers> expected;
  for (const auto& problem : problems) expected.push_back(ask(alone, *problem));

  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<Answers>> found(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      TreeDistribution distribution;
      for (const auto& problem : problems) found[t].push_back(ask(distribution, *problem));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& answers : found) EXPECT_EQ(answers, expected);
}

TEST(TreeThreads, AWorkspaceWithoutASentenceSaysSo) {
  TreeDistribution distribution;
  std::vector<int> heads(3);
  EXPECT_THROW(distribution.log_partition(), std::logic_error);
  EXPECT_THROW(distribution.best_tree(heads), std::logic_error);

  const auto problem = make_problem(Factorization::first, 2, 1);
  EXPECT_NO_THROW(ask(distribution, *problem));
  Potentials broken = problem->potentials;
  broken.arc[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(distribution.assign(problem->parts, broken, RootMode::multi), std::invalid_argument);
  EXPECT_THROW(distribution.log_partition(), std::logic_error);
}

}  // namespace
}  // namespace copse
