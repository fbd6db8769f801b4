#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "copse/error.h"
#include "inference/library_input.h"
#include "io/temporary_folder.h"
#include "optimisers/adagrad.h"
#include "optimisers/lbfgs_learner.h"
#include "optimisers/online_learner.h"
#include "optimisers/regularised_loss.h"
#include "optimisers/shuffled_order.h"
#include "parser_training/tiny_problem.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

constexpr std::uint64_t kLearnerSeed = 7;

TinyProblem tiny_problem(Generator& random, const TinyProblemKind& kind, TaskPool& pool) {
  return TinyProblem(random, kind.factorization, {kind.trees, kind.is_pruned}, FeatureSet::paper, {}, pool);
}

std::vector<float> as_floats(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

Heads best_tree(const testing::TreeModel& model) {
  const LibraryInput input(model);
  TreeDistribution trees;
  input.give_to(trees);
  Heads heads(static_cast<std::size_t>(model.words) + 1);
  trees.best_tree(heads);
  return heads;
}

int count_differences(const Heads& left, const Heads& right) {
  int different = 0;
  for (std::size_t word = 1; word < left.size(); ++word) different += left[word] != right[word] ? 1 : 0;
  return different;
}

// By the book: one sentence after the other, every weight written down after each.
class NaivePerceptron {
 public:
  explicit NaivePerceptron(const TinyProblem& problem)
      : examples_(problem.naive_examples()), weights_(problem.index.size()), sum_(problem.index.size()) {}

  // Returns the number of wrong heads.
  int pass(std::uint64_t number) {
    int wrong = 0;
    for (const std::size_t sentence : shuffled_order(examples_.size(), kLearnerSeed, number)) {
      const NaiveExample& example = *examples_[sentence];
      // Whole numbers, so that floats change nothing.
      const std::vector<float> weights = as_floats(weights_);
      const Heads gold = best_tree(example.gold_model(weights));
      const Heads best = best_tree(example.model(weights));
      remember();
      wrong += count_differences(gold, best);
      example.add_tree(gold, 1.0, weights_);
      example.add_tree(best, -1.0, weights_);
    }
    return wrong;
  }

  // Over the moments before every sentence and the one after the last.
  std::vector<double> average() const {
    std::vector<double> average(sum_.size());
    for (std::size_t k = 0; k < sum_.size(); ++k) average[k] = (sum_[k] + weights_[k]) / (moments_ + 1);
    return average;
  }

 private:
  void remember() {
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += weights_[k];
    ++moments_;
  }

  std::vector<std::unique_ptr<NaiveExample>> examples_;
  std::vector<double> weights_;
  std::vector<double> sum_;
  double moments_ = 0.0;
};

TEST(Perceptron, AnswersWithTheAverageOverAllMoments) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(32); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    Generator random = case_generator(number);
    const TinyProblem problem = tiny_problem(random, tiny_problem_kind(number), pool);
    Perceptron learner(problem.objective, kLearnerSeed);
    NaivePerceptron naive(problem);
    for (std::uint64_t pass = 0; pass < 4; ++pass) {
      const bool goes_on = learner.iterate();
      const int wrong = naive.pass(pass);
      EXPECT_EQ(goes_on, wrong > 0);
      EXPECT_EQ(learner.progress().objective, wrong);
      const std::vector<double> expected = naive.average();
      const std::span<const float> actual = learner.weights();
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_NEAR(actual[k], expected[k], 1e-5);
    }
  }
}

class LearnersTest : public TemporaryFolderTest {
 protected:
  SectionFile saved(const Learner& learner, const std::string& name = "checkpoint") const {
    SectionFileWriter writer(path(name));
    learner.save(writer);
    writer.close();
    return SectionFile::open(path(name));
  }
};

TEST_F(LearnersTest, MiraMakesTheGoldTreeBeatTheKBestByTheirErrors) {
  TaskPool pool(1);
  int violated_before = 0;
  for (int number = 0; number < scaled(32); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    Generator random = case_generator(number);
    const TinyProblemKind kind = tiny_problem_kind(number);
    TinyTreebankKind treebank{kind.trees, kind.is_pruned};
    treebank.sentences = 1;
    const TinyProblem problem(random, kind.factorization, treebank, FeatureSet::paper, {1, true}, pool);
    const auto examples = problem.naive_examples();
    const int kbest = uniform_int(random, 1, 12);
    Mira learner(problem.objective, kLearnerSeed, kbest);
    std::vector<float> weights(problem.index.size());
    for (int update = 0; update < 3; ++update) {
      const Heads gold = best_tree(examples[0]->gold_model(weights));
      const LibraryInput input(examples[0]->model(weights));
      TreeDistribution trees;
      input.give_to(trees);
      std::vector<ScoredTree> candidates;
      trees.k_best(kbest, candidates);
      learner.iterate();
      const SectionFile checkpoint = saved(learner);
      const auto now = checkpoint.numbers<float>("weights");
      for (const ScoredTree& tree : candidates) {
        std::vector<double> difference(weights.size());
        examples[0]->add_tree(gold, 1.0, difference);
        examples[0]->add_tree(tree.heads, -1.0, difference);
        double margin_before = 0.0;
        double margin = 0.0;
        for (std::size_t k = 0; k < difference.size(); ++k) {
          margin_before += difference[k] * weights[k];
          margin += difference[k] * now[k];
        }
        const int errors = count_differences(gold, tree.heads);
        EXPECT_GE(margin, errors - 1e-4);
        if (margin_before < errors - 1e-3) ++violated_before;
      }
      weights.assign(now.begin(), now.end());
    }
  }
  EXPECT_GT(violated_before, scaled(32)) << "there was next to nothing to learn";
}

double objective(const TinyProblem& problem, double l2, std::span<const float> weights, TaskPool& pool) {
  std::vector<float> gradient(weights.size());
  return RegularisedLoss(problem.objective, l2, pool).evaluate(weights, gradient);
}

// Adagrad's distance from the optimum that L-BFGS finds, as a share of it.
double distance_from_optimum(int number, int sentences, std::span<const int> stages) {
  TaskPool pool(1);
  constexpr double kL2 = 0.3;
  Generator random = case_generator(number);
  const TinyProblemKind kind = tiny_problem_kind(number);
  TinyTreebankKind treebank{kind.trees, kind.is_pruned};
  treebank.sentences = sentences;
  const TinyProblem problem(random, kind.factorization, treebank, FeatureSet::pruner, {}, pool);
  LbfgsLearner lbfgs(problem.objective, {}, kL2, 0.0, LearnerOptions().history, pool);
  while (lbfgs.iterate()) {
  }
  const double optimum = objective(problem, kL2, lbfgs.weights(), pool);
  EXPECT_NEAR(lbfgs.progress().objective, optimum, 1e-6 * optimum);

  double before = objective(problem, kL2, std::vector<float>(problem.index.size()), pool);
  EXPECT_LT(optimum, 0.9 * before) << "there is next to nothing to learn";
  Adagrad adagrad(problem.objective, {}, kL2, 0.1, kLearnerSeed, pool);
  for (const int passes : stages) {
    for (int pass = 0; pass < passes; ++pass) EXPECT_TRUE(adagrad.iterate());
    const double now = objective(problem, kL2, adagrad.weights(), pool);
    EXPECT_LT(now, before);
    before = now;
  }
  return before / optimum - 1;
}

TEST(Adagrad, FindsTheOptimumThatLbfgsFinds) {
  for (int number = 0; number < scaled(8); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    // All sentences in one batch: no noise, so that an error of its objective would show. L-BFGS itself stops
    // when it gains less than one part in ten thousand.
    EXPECT_NEAR(distance_from_optimum(number, 12, std::array{1, 9, 60, 300}), 0.0, 1e-3);
    // Batches of unequal size.
    const double distance = distance_from_optimum(number, 24, std::array{1, 9, 60});
    EXPECT_GT(distance, -1e-3);
    EXPECT_LT(distance, 0.06);
  }
}

constexpr std::span<const float> kZeros;

struct NamedLearner {
  std::string name;
  std::function<std::unique_ptr<Learner>(const Objective&, TaskPool&)> make;
};

const std::vector<NamedLearner>& all_learners() {
  static const std::vector<NamedLearner> learners = {
      {"L-BFGS",
       [](const auto& problem, TaskPool& pool) {
         return std::make_unique<LbfgsLearner>(problem, kZeros, 0.3, 0.0, LearnerOptions().history, pool);
       }},
      {"OWL-QN",
       [](const auto& problem, TaskPool& pool) {
         return std::make_unique<LbfgsLearner>(problem, kZeros, 0.1, 0.2, LearnerOptions().history, pool);
       }},
      {"Adagrad",
       [](const auto& problem, TaskPool& pool) {
         return std::make_unique<Adagrad>(problem, kZeros, 0.3, 0.1, kLearnerSeed, pool);
       }},
      {"perceptron",
       [](const auto& problem, TaskPool&) { return std::make_unique<Perceptron>(problem, kLearnerSeed); }},
      {"MIRA",
       [](const auto& problem, TaskPool&) { return std::make_unique<Mira>(problem, kLearnerSeed, 5); }},
  };
  return learners;
}

struct Moment {
  std::vector<float> weights;
  double objective;
  bool goes_on;
};

Moment moment_after_iteration(Learner& learner) {
  const bool goes_on = learner.iterate();
  return {{learner.weights().begin(), learner.weights().end()}, learner.progress().objective, goes_on};
}

TEST_F(LearnersTest, GoOnFromACheckpointAsIfNothingHadHappened) {
  TaskPool pool(1);
  constexpr std::size_t kIterations = 12;
  for (const NamedLearner& kind : all_learners()) {
    for (int number = 0; number < 3; ++number) {
      SCOPED_TRACE(kind.name + ", " + case_name(number));
      Generator random = case_generator(number);
      TinyTreebankKind treebank;
      treebank.sentences = 20;
      const TinyProblem problem(random, kFactorizations[static_cast<std::size_t>(number) * 3], treebank,
                                FeatureSet::paper, {}, pool);
      const auto learner = kind.make(problem.objective, pool);
      std::vector<Moment> run;
      while (run.size() < kIterations) {
        run.push_back(moment_after_iteration(*learner));
        saved(*learner, std::to_string(run.size()));
        if (!run.back().goes_on) break;
      }
      EXPECT_GT(run.size(), 1u) << "there is nothing to interrupt";
      for (std::size_t stop = 1; stop < run.size(); ++stop) {
        SCOPED_TRACE("restored after iteration " + std::to_string(stop));
        const auto heir = kind.make(problem.objective, pool);
        const auto files_needed = std::min(stop, static_cast<std::size_t>(heir->checkpoints()));
        std::vector<SectionFile> files;
        for (std::size_t k = stop - files_needed + 1; k <= stop; ++k) {
          files.push_back(SectionFile::open(path(std::to_string(k))));
        }
        heir->restore(files);
        EXPECT_EQ(std::vector<float>(heir->weights().begin(), heir->weights().end()), run[stop - 1].weights);
        EXPECT_EQ(heir->progress().objective, run[stop - 1].objective);
        for (std::size_t k = stop; k < run.size(); ++k) {
          const Moment moment = moment_after_iteration(*heir);
          ASSERT_EQ(moment.weights, run[k].weights) << "iteration " << k + 1;
          EXPECT_EQ(moment.objective, run[k].objective);
          EXPECT_EQ(moment.goes_on, run[k].goes_on);
        }
      }
    }
  }
}

TEST_F(LearnersTest, RefuseCheckpointsOfOtherSizes) {
  TaskPool pool(1);
  Generator random = case_generator(0);
  const TinyProblem problem = tiny_problem(random, tiny_problem_kind(0), pool);
  TinyTreebankKind larger;
  larger.sentences = 20;
  const TinyProblem other(random, Factorization::sibling, larger, FeatureSet::paper, {}, pool);
  ASSERT_LT(problem.index.size(), other.index.size());
  for (const NamedLearner& kind : all_learners()) {
    SCOPED_TRACE(kind.name);
    const auto learner = kind.make(other.objective, pool);
    learner->iterate();
    std::vector<SectionFile> files;
    files.push_back(saved(*learner));
    EXPECT_THROW(kind.make(problem.objective, pool)->restore(files), DataError);
    EXPECT_NO_THROW(kind.make(other.objective, pool)->restore(files));
  }
}

TEST_F(LearnersTest, RefuseCheckpointsOfOtherLearners) {
  TaskPool pool(1);
  Generator random = case_generator(0);
  const TinyProblem problem = tiny_problem(random, tiny_problem_kind(0), pool);
  const auto adagrad = all_learners()[2].make(problem.objective, pool);
  const auto perceptron = all_learners()[3].make(problem.objective, pool);
  adagrad->iterate();
  perceptron->iterate();
  std::vector<SectionFile> of_adagrad;
  of_adagrad.push_back(saved(*adagrad, "adagrad"));
  std::vector<SectionFile> of_perceptron;
  of_perceptron.push_back(saved(*perceptron, "perceptron"));
  EXPECT_THROW(perceptron->restore(of_adagrad), DataError);
  EXPECT_THROW(adagrad->restore(of_perceptron), DataError);
  EXPECT_THROW(all_learners()[0].make(problem.objective, pool)->restore(of_adagrad), DataError);
}

TEST(LearnerNames, CanBeParsed) {
  for (const LearnerKind learner :
       {LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron, LearnerKind::mira}) {
    EXPECT_EQ(parse_learner(copse::name(learner)), learner);
  }
  EXPECT_EQ(copse::name(LearnerKind::mira), "mira");
  EXPECT_EQ(parse_learner("oracle"), std::nullopt);
}

}  // namespace
}  // namespace copse
