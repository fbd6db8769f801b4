// Joint models of trees and labels, against the enumeration of all labelled trees.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "copse/learning/trainer.h"
#include "copse/parsing/sentence_parser.h"
#include "inference/test_settings.h"
#include "learning/label_lists.h"
#include "learning/likelihood.h"
#include "learning/tiny_problem.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

constexpr std::array<std::string_view, 4> kLabels = {"one", "two", "three", "_"};

std::vector<TrainingSentence> labelled(std::vector<TrainingSentence> sentences, Random& random) {
  for (TrainingSentence& example : sentences) {
    for (Token& word : example.sentence.words()) word.set_deprel(pick(random, kLabels));
  }
  // There is at least one.
  TrainingSentence& last = sentences.emplace_back();
  last.sentence = random_sentence(random, 1);
  last.sentence[1].set_deprel("one");
  last.heads = {kNoHead, 0};
  return sentences;
}

struct JointProblem {
  JointProblem(Random& random, const TinyProblemKind& kind, TaskPool& pool)
      : sentences(labelled(tiny_treebank(random, treebank_kind(kind)), random)),
        trees(kind.trees),
        extractor(FeatureOptions(), kind.factorization),
        index(index_features(sentences, extractor, {1, true}, pool)),
        label_index(
            index_labels(sentences, FeatureExtractor(FeatureOptions(), Factorization::first), 1, pool)),
        label_lists(sentences, label_index, pool),
        lists(sentences, extractor, index, pool) {
    lists.set_labels(&label_lists);
  }
  JointProblem(const JointProblem&) = delete;
  JointProblem& operator=(const JointProblem&) = delete;

  static TinyTreebankKind treebank_kind(const TinyProblemKind& kind) {
    TinyTreebankKind treebank{kind.trees, kind.is_pruned};
    treebank.most_words = 4;
    treebank.sentences = 2;
    return treebank;
  }

  std::vector<TrainingSentence> sentences;
  TreeSpace trees;
  FeatureExtractor extractor;
  FeatureIndex index;
  LabelIndex label_index;
  LabelLists label_lists;
  FeatureLists lists;
};

// Scores labels one by one, feature by feature.
class NaiveLabels {
 public:
  NaiveLabels(const JointProblem& problem, const TrainingSentence& example, std::span<const float> weights)
      : problem_(problem), example_(example), weights_(weights.subspan(problem.index.size())) {
    for (std::size_t row = 0; row < problem.label_index.hashes.size(); ++row) {
      for (std::uint32_t k = problem.label_index.starts[row]; k < problem.label_index.starts[row + 1]; ++k) {
        numbers_[{problem.label_index.hashes[row], problem.label_index.labels[k]}] = k;
      }
    }
    features_.assign(problem.label_index.extractor, example.sentence);
  }

  double score(int head, int modifier, int label, double margin) const {
    std::vector<std::uint64_t> hashes;
    for (const Scope scope : {Scope::head, Scope::modifier, Scope::arc}) {
      features_.append(scope, {head, head, head, modifier}, hashes);
    }
    double sum = 0.0;
    for (const std::uint64_t hash : hashes) {
      const auto found = numbers_.find({hash, label});
      if (found != numbers_.end()) sum += weights_[found->second];
    }
    const int gold = gold_label(modifier);
    const bool is_wrong =
        head == example_.heads[static_cast<std::size_t>(modifier)] && gold >= 0 && gold != label;
    return sum + (is_wrong ? margin : 0.0);
  }

  // -1 where it is not known.
  int gold_label(int word) const {
    const std::string_view name = example_.sentence[word].deprel();
    if (example_.heads[static_cast<std::size_t>(word)] == kNoHead) return -1;
    const auto& names = problem_.label_index.names;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  }

  // The logarithm of the sum of exp(score) over all labellings of a tree: all, or those with the gold labels.
  long double log_sum(const Heads& heads, double margin, bool is_gold) const {
    const int words = example_.sentence.size();
    const int labels = static_cast<int>(problem_.label_index.names.size());
    long double sum = 0.0;
    std::vector<int> labelling(static_cast<std::size_t>(words) + 1, 0);
    for (;;) {
      long double total = 0.0;
      bool agrees = true;
      for (int word = 1; word <= words; ++word) {
        const int label = labelling[static_cast<std::size_t>(word)];
        total += score(heads[static_cast<std::size_t>(word)], word, label, is_gold ? 0.0 : margin);
        agrees &= gold_label(word) < 0 || gold_label(word) == label;
      }
      if (agrees || !is_gold) sum += std::exp(total);
      int word = 1;
      while (word <= words && ++labelling[static_cast<std::size_t>(word)] == labels)
        labelling[static_cast<std::size_t>(word++)] = 0;
      if (word > words) return std::log(sum);
    }
  }

 private:
  const JointProblem& problem_;
  const TrainingSentence& example_;
  std::span<const float> weights_;
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> numbers_;
  SentenceFeatures features_;
};

double naive_loss(const JointProblem& problem, std::span<const float> weights, double margin) {
  long double loss = 0.0;
  const NumbersByHash numbers = numbers_by_hash(problem.index);
  for (const TrainingSentence& example : problem.sentences) {
    const NaiveExample naive(example, problem.extractor, numbers, problem.trees);
    const NaiveLabels labels(problem, example, weights);
    const auto total = [&](const testing::Model& model, bool is_gold) {
      long double sum = 0.0;
      const Enumeration all(model);
      for (const Enumeration::Tree& tree : all.trees()) {
        sum += std::exp(tree.score + labels.log_sum(*tree.heads, margin, is_gold));
      }
      return std::log(sum);
    };
    loss += total(naive.model(weights, margin), false) - total(naive.gold_model(weights), true);
  }
  return static_cast<double>(loss);
}

template <class Check>
void for_each_problem(int cases, Check check) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(cases); ++number) {
    const TinyProblemKind kind = tiny_problem_kind(number);
    Random random = case_generator(number);
    const double margin = happens(random, 0.5) ? 0.75 : 0.0;
    SCOPED_TRACE(case_name(number) + ": " + describe(kind) + ", margin " + std::to_string(margin));
    const JointProblem problem(random, kind, pool);
    const std::vector<float> penalties(problem.lists.weights());
    Likelihood likelihood(problem.lists, penalties, kind.trees, pool, margin);
    check(problem, likelihood, margin, random_weights(random, problem.lists.weights()), random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(JointLabels, TheLossIsThatOfAllLabelledTrees) {
  for_each_problem(64, [](const JointProblem& problem, Likelihood& likelihood, double margin,
                          const std::vector<float>& weights, Random&) {
    ASSERT_EQ(likelihood.dimension(), weights.size());
    std::vector<float> gradient(weights.size());
    const double expected = naive_loss(problem, weights, margin);
    EXPECT_NEAR(likelihood.evaluate(weights, gradient), expected, 1e-8 * std::max(1.0, std::abs(expected)));
  });
}

TEST(JointLabels, TheGradientIsThatOfDifferences) {
  for_each_problem(32, [](const JointProblem&, Likelihood& likelihood, double, std::vector<float> weights,
                          Random& random) {
    std::vector<float> gradient(weights.size());
    std::vector<float> ignored(weights.size());
    likelihood.evaluate(weights, gradient);
    for (int trial = 0; trial < 40; ++trial) {
      const auto k = static_cast<std::size_t>(uniform_int(random, 0, static_cast<int>(weights.size()) - 1));
      constexpr float kStep = 1.0F / 4096;
      const float before = weights[k];
      weights[k] = before + kStep;
      const double above = likelihood.evaluate(weights, ignored);
      weights[k] = before - kStep;
      const double below = likelihood.evaluate(weights, ignored);
      weights[k] = before;
      EXPECT_NEAR(gradient[k], (above - below) / (2.0 * kStep), 1e-4);
    }
  });
}

TEST(JointLabels, EveryLearnerLearnsThem) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(60, 1));
  const std::vector<Sentence> unseen = read_text(toy_treebank(20, 2));
  TaskPool pool(1);
  TrainingObserver nobody;
  for (const LearnerKind learner :
       {LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron, LearnerKind::mira}) {
    SCOPED_TRACE(name(learner));
    TrainingOptions options;
    options.learner = learner;
    options.factorization = Factorization::sibling;
    options.joint_labels = true;
    options.iterations = learner == LearnerKind::lbfgs ? 30 : 8;
    const copse::Model model = train(sentences, {}, options, {}, pool, nobody);
    ASSERT_NE(model.labels(), nullptr);
    SentenceParser parser(model, {});
    ParsedSentence result;
    int right = 0;
    int words = 0;
    for (const Sentence& gold : unseen) {
      parser.parse(gold, result);
      for (int word = 1; word <= gold.size(); ++word) {
        ++words;
        right += result.trees[0][word] == gold[word] ? 1 : 0;
      }
    }
    EXPECT_GT(right, words * 98 / 100);
  }
}

// The labelled trees that a parser finds, against all of them.
TEST(JointLabels, TheBestTreeIsTheBestLabelledTree) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(30, 1));
  TaskPool pool(1);
  TrainingObserver nobody;
  TrainingOptions options;
  options.joint_labels = true;
  options.iterations = 3;  // before the model is sure of anything
  options.prune_threshold = 0.0;
  const copse::Model model = train(sentences, {}, options, {}, pool, nobody);
  Parser parser(model);
  Random random = case_generator(1);
  for (int number = 0; number < 20; ++number) {
    SCOPED_TRACE(number);
    const Sentence sentence = random_sentence(random, uniform_int(random, 1, 5));
    parser.assign(sentence);
    double best = -1e300;
    long double sum = 0.0;
    Heads best_heads;
    for (const Heads& heads : all_projective_trees(sentence.size())) {
      double score = parser.trees().score(heads);
      sum += std::exp(static_cast<long double>(score));
      // What the arcs' labels gave to the sum is replaced by what the best ones give.
      for (int word = 1; word <= sentence.size(); ++word) {
        const auto arc = static_cast<int>(parser.parts().arc(heads[static_cast<std::size_t>(word)], word));
        score += parser.labels().best_score(arc) - parser.labels().log_sum(arc);
      }
      if (score > best) {
        best = score;
        best_heads = heads;
      }
    }
    std::vector<int> found(best_heads.size());
    const double score = parser.labelled_trees().best_tree(found);
    EXPECT_NEAR(score, best, 1e-9 * std::max(1.0, std::abs(best)));
    EXPECT_NEAR(parser.trees().log_partition(), static_cast<double>(std::log(sum)), 1e-8);
  }
}

}  // namespace
}  // namespace copse
