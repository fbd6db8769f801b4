// Parsing with a model from a file gives the very scores that training saw.
#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <vector>

#include "inference/test_settings.h"
#include "io/temporary_folder.h"
#include "learning/example.h"
#include "learning/make_model.h"
#include "learning/tiny_problem.h"
#include "model/parser_model.h"
#include "model/part_scorer.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

class ScoringTest : public TemporaryFolderTest {};

// As learners sum them up, from the lists of features.
Potentials potentials_of_training(const TupleIndex& tuples, const FeatureList& list,
                                  std::span<const float> weights) {
  std::vector<double> sums;
  auto feature = list.features.begin();
  for (const std::uint16_t length : list.lengths) {
    sums.push_back(0.0);
    for (const auto end = feature + length; feature != end; ++feature) sums.back() += weights[*feature];
  }
  Potentials potentials;
  tuples.to_parts(sums, potentials);
  return potentials;
}

TEST_F(ScoringTest, IsTheSameInTrainingAndParsing) {
  TaskPool pool(1);
  int sentences = 0;
  int mistaken = 0;  // once in tens of thousands of look-ups, a model takes a feature for another one
  for (int number = 0; number < scaled(32); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    Random random = case_generator(number);
    const TinyProblemKind kind = tiny_problem_kind(number);
    TinyTreebankKind treebank{kind.trees, kind.is_pruned};
    treebank.most_words = 9;
    const TinyProblem problem(random, kind.factorization, treebank, FeatureSet::rich, {1, true}, pool);
    std::vector<float> weights(problem.index.size());
    for (float& weight : weights) {
      // Numbers that models keep exactly; others stay zero.
      if (happens(random, 0.7)) weight = static_cast<float>(uniform_int(random, -255, 255)) / 256;
    }
    copse::ParserModel(kind.trees, make_model(problem.extractor, problem.index, weights)).save(path("model"));
    const copse::ParserModel model = copse::ParserModel::load(path("model"));

    PartScorer scorer(model.parser());
    Example example(problem.lists, kind.trees);
    for (std::size_t k = 0; k < problem.sentences.size(); ++k) {
      const TrainingSentence& sentence = problem.sentences[k];
      SentenceParts parts;
      parts.assign(sentence.sentence.size(), sentence.candidates, kind.factorization);
      Potentials potentials;
      scorer.score(sentence.sentence, parts.tuples(), potentials);
      const Potentials expected = potentials_of_training(parts.tuples(), *problem.lists.kept(k), weights);
      ++sentences;
      const bool is_same = std::all_of(kOrders.begin(), kOrders.end(), [&](Order order) {
        return values_of(potentials, order) == values_of(expected, order);
      });
      if (!is_same) {
        ++mistaken;
        continue;
      }

      TreeDistribution trees;
      trees.assign(parts.parts(), potentials, kind.trees);
      example.assign(k);
      example.score(weights);
      EXPECT_EQ(trees.log_partition(), example.distribution().log_partition());
    }
  }
  EXPECT_LE(mistaken, sentences / 50);
}

}  // namespace
}  // namespace copse
