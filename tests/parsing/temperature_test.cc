#include "parsing/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/temporary_folder.h"
#include "parallel/thread_team.h"
#include "parsing/parser.h"
#include "parsing/toy_model.h"
#include "treebank/dealt_sentences.h"

namespace copse::testing {
namespace {

double loss(const ParserModel& model, const std::vector<Sentence>& sentences, double temperature) {
  ParserOptions options;
  options.temperature = temperature;
  Parser parser(model, options);
  double sum = 0.0;
  for (const Sentence& sentence : sentences) {
    parser.assign(sentence);
    for (int word = 1; word <= sentence.size(); ++word) {
      const int arc = parser.arcs().find(sentence[word].head(), word);
      const double probability =
          arc < 0 ? 0.0 : parser.trees().marginals().arc[static_cast<std::size_t>(arc)];
      sum -= std::log(std::max(probability, 1e-4));
    }
  }
  return sum;
}

// Half of the phrases of this grammar are attached by chance: whoever is sure of them is wrong.
std::vector<Sentence> by_chance(int sentences, std::uint32_t seed) {
  return read_text(ToyGrammar(seed, true).treebank(sentences));
}

TEST(Temperature, DividesAllPotentials) {
  const ParserModel model = toy_model(Factorization::grandsibling, RootMode::multi, 0.0);
  const Sentence sentence = long_sentence(5);
  Parser cold(model);
  ParserOptions options;
  options.temperature = 2.5;
  Parser warm(model, options);
  cold.assign(sentence);
  warm.assign(sentence);
  std::vector<ScoredTree> trees;
  cold.trees().k_best(1000, trees);
  ASSERT_GT(trees.size(), 10U);
  long double sum = 0.0;
  for (const ScoredTree& tree : trees) {
    EXPECT_NEAR(warm.trees().score(tree.heads), tree.score / 2.5, 1e-9);
    sum += std::exp(static_cast<long double>(tree.score) / 2.5L);
  }
  EXPECT_NEAR(warm.trees().log_partition(), static_cast<double>(std::log(sum)), 1e-9);
}

TEST(Temperature, IsTheOneThatFitsBest) {
  const ParserModel model = toy_model(Factorization::sibling, RootMode::single, 1e-3);
  const std::vector<Sentence> sentences = by_chance(60, 3);
  TaskPool pool(1);
  const double fitted = fit_temperature(model, sentences, pool);
  const double best = loss(model, sentences, fitted);
  for (const double factor : {0.5, 0.8, 0.95, 1.05, 1.25, 2.0}) {
    EXPECT_LE(best, loss(model, sentences, fitted * factor) + 1e-3) << factor;
  }
  TaskPool three(3);
  EXPECT_EQ(fitted, fit_temperature(model, sentences, three));
  for (const int size : {2, 3, 7}) {
    run_team(size, [&](Team& team) {
      TaskPool own_pool(1 + team.rank() % 2, team);
      EXPECT_EQ(fitted, fit_temperature(model, keep_own(team, sentences), own_pool));
    });
  }
}

TEST(Temperature, NothingToGoByIsOne) {
  const ParserModel model = toy_model(Factorization::first, RootMode::multi, 0.0);
  TaskPool pool(1);
  EXPECT_EQ(fit_temperature(model, {}, pool), 1.0);
  EXPECT_EQ(fit_temperature(model, std::vector<Sentence>{long_sentence(4)}, pool), 1.0);
}

class TemperatureFile : public TemporaryFolderTest {};

TEST_F(TemperatureFile, IsKeptInTheModel) {
  ParserModel model = toy_model(Factorization::first, RootMode::multi, 0.0);
  model.set_temperature(1.75);
  model.save(path("model"));
  EXPECT_EQ(ParserModel::load(path("model")).temperature(), 1.75);
  EXPECT_THROW(model.set_temperature(0.0), std::invalid_argument);
  EXPECT_THROW(model.set_temperature(std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace copse::testing
