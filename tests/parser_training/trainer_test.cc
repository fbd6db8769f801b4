#include "parser_training/trainer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "features/sentence_parts.h"
#include "inference/parts.h"
#include "io/temporary_folder.h"
#include "optimisers/stopping_rule.h"
#include "parser_training/toy_training.h"

namespace copse {
namespace {

using testing::fact;
using testing::kFactorizations;
using testing::kLearners;
using testing::Listener;
using testing::toy_options;
using testing::toy_sentences;
using testing::uas;

ParserModel trained(const std::vector<Sentence>& sentences, const TrainingOptions& options,
                    const std::vector<Sentence>& development = {}) {
  TaskPool pool(1);
  Listener nobody;
  return train(sentences, development, options, {}, pool, nobody);
}

TEST(Trainer, LearnsALittleLanguage) {
  const std::vector<Sentence> sentences = toy_sentences(40, 1);
  const std::vector<Sentence> others = toy_sentences(20, 2);
  for (const LearnerKind learner : kLearners) {
    for (const Factorization factorization : kFactorizations) {
      SCOPED_TRACE(std::string(name(learner)) + ", " + std::string(name(factorization)));
      const ParserModel model = trained(sentences, toy_options(learner, factorization));
      EXPECT_EQ(model.factorization(), factorization);
      EXPECT_EQ(model.root(), RootMode::single);
      EXPECT_EQ(model.pruner() == nullptr, factorization == Factorization::first);
      EXPECT_GT(uas(model, sentences), 0.99);
      EXPECT_GT(uas(model, others), 0.95);
      EXPECT_EQ(fact(model, "training sentences"), "40");
    }
  }
}

// Words come in pairs of which each reaches over the next: a c b d, with c on a and d on b.
std::vector<Sentence> crossing_sentences(int count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Sentence> sentences;
  for (int k = 0; k < count; ++k) {
    Sentence& sentence = sentences.emplace_back();
    const auto add = [&](const std::string& form, const std::string& tag, int head) {
      Token& word = sentence.add_word(form);
      word.set_upos(tag);
      word.set_xpos(tag);
      word.set_head(head);
    };
    const int filler = static_cast<int>(random() % 3);
    for (int word = 0; word < filler; ++word) add("uh", "I", filler + 1);
    add("a" + std::to_string(random() % 3), "A", 0);
    add("b" + std::to_string(random() % 3), "B", filler + 1);
    add("c" + std::to_string(random() % 3), "C", filler + 1);
    add("d" + std::to_string(random() % 3), "D", filler + 2);
  }
  return sentences;
}

TEST(Trainer, LearnsNonprojectiveTrees) {
  const std::vector<Sentence> sentences = crossing_sentences(40, 1);
  const std::vector<Sentence> others = crossing_sentences(20, 2);
  std::vector<Sentence> partial = sentences;
  for (std::size_t k = 0; k < partial.size(); k += 3) partial[k][1].set_head(kNoHead);
  for (const LearnerKind learner : kLearners) {
    SCOPED_TRACE(name(learner));
    TrainingOptions options = toy_options(learner, Factorization::first);
    EXPECT_LT(uas(trained(sentences, options), others), 0.9) << "projective trees cannot have crossing arcs";
    options.trees = TreeKind::nonprojective;
    TaskPool pool(1);
    Listener listener;
    const ParserModel model = train(sentences, others, options, {}, pool, listener);
    EXPECT_EQ(listener.prepared.projectivized, 0);
    EXPECT_EQ(model.trees(), TreeSpace(RootMode::single, TreeKind::nonprojective));
    EXPECT_EQ(model.pruner(), nullptr);
    EXPECT_EQ(uas(model, others), 1.0);
    EXPECT_EQ(fact(model, "development UAS"), "1.0000");
    EXPECT_EQ(uas(trained(partial, options), others), 1.0);
  }
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::sibling);
  options.trees = TreeKind::nonprojective;
  EXPECT_THROW(trained(sentences, options), DataError);
}

TEST(Trainer, LearnsFromPartialTrees) {
  const std::vector<Sentence> complete = toy_sentences(40, 1);
  std::vector<Sentence> partial = complete;
  std::mt19937 random(3);
  for (Sentence& sentence : partial) {
    for (Token& word : sentence.words()) {
      if (random() % 5 < 2) word.set_head(kNoHead);
    }
  }
  for (const LearnerKind learner : kLearners) {
    for (const Factorization factorization : {Factorization::first, Factorization::grandsibling}) {
      SCOPED_TRACE(std::string(name(learner)) + ", " + std::string(name(factorization)));
      TaskPool pool(1);
      Listener listener;
      const ParserModel model = train(partial, {}, toy_options(learner, factorization), {}, pool, listener);
      EXPECT_GT(listener.prepared.partial, 30);
      EXPECT_GT(uas(model, complete), 0.97) << "what was not said was not understood";
    }
  }
}

TEST(Trainer, ReportsWhatItDoes) {
  const std::vector<Sentence> sentences = toy_sentences(40, 1);
  TaskPool pool(1);
  for (const LearnerKind learner : kLearners) {
    SCOPED_TRACE(name(learner));
    const TrainingOptions options = toy_options(learner, Factorization::sibling);
    Listener listener;
    const ParserModel model = train(sentences, {}, options, {}, pool, listener);
    EXPECT_EQ(listener.prepared.sentences, 40);
    ASSERT_TRUE(listener.pruned);
    EXPECT_GE(listener.pruned->arcs_per_word, 1.0);
    EXPECT_GE(listener.pruned->lost_gold_arcs, 0.0);
    EXPECT_LT(listener.pruned->lost_gold_arcs, 0.2);
    EXPECT_TRUE(std::isnan(listener.pruned->dev_arcs_per_word));
    EXPECT_EQ(fact(model, "features"), std::to_string(listener.features));
    EXPECT_LE(static_cast<std::int64_t>(model.parser().weights().size()), listener.features);
    ASSERT_FALSE(listener.iterations.empty());
    for (std::size_t k = 0; k < listener.iterations.size(); ++k) {
      const IterationReport& report = listener.iterations[k];
      EXPECT_EQ(report.iteration, static_cast<int>(k) + 1);
      EXPECT_EQ(report.iterations, options.iterations);
      EXPECT_EQ(report.is_last, k + 1 == listener.iterations.size());
      EXPECT_FALSE(report.dev_score);
      EXPECT_TRUE(std::isfinite(report.objective));
      EXPECT_EQ(std::isfinite(report.gradient_norm), learner == LearnerKind::lbfgs);
    }
    EXPECT_LT(listener.iterations.back().objective, listener.iterations.front().objective);
    EXPECT_EQ(fact(model, "iteration"), std::to_string(listener.iterations.size()));
  }
}

// The development data contradicts the training data, so that more training may make it worse.
TEST(Trainer, TakesTheIterationThatIsBestOnTheDevelopmentData) {
  const std::vector<Sentence> sentences = read_text(testing::ToyGrammar(1, true).treebank(40));
  const std::vector<Sentence> development = read_text(testing::ToyGrammar(2, true).treebank(20));
  for (const LearnerKind learner : kLearners) {
    for (const Factorization factorization : {Factorization::first, Factorization::grandsibling}) {
      SCOPED_TRACE(std::string(name(learner)) + ", " + std::string(name(factorization)));
      TaskPool pool(1);
      Listener listener;
      const ParserModel model =
          train(sentences, development, toy_options(learner, factorization), {}, pool, listener);
      double best = -1.0;
      int best_iteration = 0;
      for (const IterationReport& report : listener.iterations) {
        const bool is_due = learner != LearnerKind::lbfgs || report.iteration % 5 == 0 || report.is_last;
        EXPECT_EQ(report.dev_score.has_value(), is_due) << report.iteration;
        if (report.dev_score && *report.dev_score > best) {
          best = *report.dev_score;
          best_iteration = report.iteration;
        }
      }
      EXPECT_EQ(fact(model, "iteration"), std::to_string(best_iteration));
      EXPECT_NEAR(uas(model, development), best, 1e-12) << "the parser sees what the trainer saw";
    }
  }
}

TEST(Trainer, StopsWhenDevelopmentDataHasHadEnough) {
  const std::vector<Sentence> sentences = read_text(testing::ToyGrammar(1, true).treebank(40));
  const std::vector<Sentence> development = read_text(testing::ToyGrammar(2, true).treebank(20));
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  options.iterations = 100;
  options.l2 = 1e-6;
  TaskPool pool(1);
  const auto iterations = [&](std::optional<int> patience, const std::vector<Sentence>& dev) {
    options.patience_iterations = patience;
    Listener listener;
    train(sentences, dev, options, {}, pool, listener);
    EXPECT_TRUE(listener.iterations.back().is_last);
    std::vector<Evaluation> evaluations;
    for (const IterationReport& report : listener.iterations) {
      if (report.dev_score) evaluations.push_back({report.iteration, *report.dev_score});
      if (patience == 0 || dev.empty() || report.is_last) continue;
      EXPECT_FALSE(StoppingRule{options.patience()}.is_met(evaluations)) << report.iteration;
    }
    if (patience != 0 && !dev.empty()) {
      EXPECT_TRUE(StoppingRule{options.patience()}.is_met(evaluations));
    }
    return listener.iterations.size();
  };
  const std::size_t without = iterations(0, development);
  EXPECT_GT(without, 30U);
  EXPECT_EQ(iterations(5, {}), without) << "there is nothing to go by";
  EXPECT_LT(iterations({}, development), without) << "lbfgs has patience by default";
  EXPECT_LE(iterations(5, development), iterations({}, development));
}

TEST(Trainer, LeavesOutDevelopmentSentencesThatAreTooLargeToLearnFrom) {
  const std::vector<Sentence> sentences = toy_sentences(30, 1);
  std::vector<Sentence> development = toy_sentences(10, 2);
  const int longest =
      std::max_element(development.begin(), development.end(), [](const auto& a, const auto& b) {
        return a.size() < b.size();
      })->size();
  std::string text;
  for (int word = 1; word <= longest + 1; ++word) {
    text += fmt::format("{}\tw\t_\tX\tX\t_\t{}\t_\t_\t_\n", word, word - 1);
  }
  development.push_back(read_text(text + "\n").front());
  struct DevelopmentListener : Listener {
    void on_development(const DevelopmentReport& report) override { development = report; }
    DevelopmentReport development;
  };
  TaskPool pool(1);
  TrainingOptions options = toy_options(LearnerKind::perceptron, Factorization::grandsibling);
  for (const double threshold : {0.0, 1e-300}) {
    options.prune_threshold = threshold;
    options.max_length = longest;
    options.max_parts = TrainingOptions().max_parts;
    DevelopmentListener by_length;
    train(sentences, development, options, {}, pool, by_length);
    EXPECT_EQ(by_length.development.too_long, 1);
    EXPECT_EQ(by_length.development.too_large, 0);
    EXPECT_EQ(by_length.development.sentences, 10);
    options.max_length = longest + 1;
    SentenceParts parts;
    parts.assign(longest, {}, options.factorization);
    options.max_parts = parts.parts().count();
    DevelopmentListener by_parts;
    train(sentences, development, options, {}, pool, by_parts);
    EXPECT_EQ(by_parts.development.too_long, 0);
    EXPECT_EQ(by_parts.development.too_large, 1);
    EXPECT_EQ(by_parts.development.sentences, 10);
  }
}

TEST(Trainer, ChoosesTheL2ThatIsBestOnTheDevelopmentData) {
  const std::vector<Sentence> sentences = toy_sentences(30, 1);
  const std::vector<Sentence> development = toy_sentences(15, 2);
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  options.l2_choices = {1e6, 0.1};
  const ParserModel model = trained(sentences, options, development);
  EXPECT_EQ(fact(model, "chosen l2"), "0.1");
  EXPECT_GT(uas(model, development), 0.95);
  EXPECT_THROW(trained(sentences, options), DataError) << "there is nothing to choose by";
}

TEST(Trainer, FindsMoreWeightsForCandidatesAndFewerWithACutoff) {
  const std::vector<Sentence> sentences = toy_sentences(20, 1);
  TrainingOptions options = toy_options(LearnerKind::perceptron, Factorization::first);
  TaskPool pool(1);
  const auto features = [&] {
    Listener listener;
    train(sentences, {}, options, {}, pool, listener);
    return listener.features;
  };
  const std::int64_t of_gold_trees = features();
  options.candidate_features = true;
  EXPECT_GT(features(), 2 * of_gold_trees);
  options.candidate_features = false;
  options.cutoff = 5;
  EXPECT_LT(features(), of_gold_trees / 2);
  options.cutoff = 1000000;
  EXPECT_THROW(features(), DataError);
}

TEST(Trainer, NeedsHeads) {
  std::vector<Sentence> sentences = toy_sentences(5, 1);
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_head(kNoHead);
  }
  const TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  EXPECT_THROW(trained(sentences, options), DataError);
  EXPECT_THROW(trained({}, options), DataError);
  EXPECT_THROW(trained({Sentence()}, options), DataError);
  sentences[2][1].set_head(2);
  EXPECT_NO_THROW(trained(sentences, options)) << "one head is something to learn from";
}

// The words of the table that weights are looked up in.
std::vector<WeightCode> weights_of(const LinearModel& model) { return model.rounded_weights().codes; }

TEST(TrainerWithPruning, IsTheSameAsWithoutWhereNothingIsPruned) {
  const std::vector<Sentence> sentences = toy_sentences(20, 1);
  for (const Factorization factorization : {Factorization::sibling, Factorization::grandsibling}) {
    TrainingOptions options = toy_options(LearnerKind::perceptron, factorization);
    options.prune_threshold = 0.0;
    const ParserModel without = trained(sentences, options);
    EXPECT_EQ(without.pruner(), nullptr);
    options.prune_threshold = 1e-300;  // no arc is as improbable as that
    const ParserModel with = trained(sentences, options);
    ASSERT_NE(with.pruner(), nullptr);
    EXPECT_EQ(with.prune_threshold(), 1e-300);
    EXPECT_EQ(weights_of(with.parser()), weights_of(without.parser()));
  }
}

TEST(TrainerWithPruning, ParsesWithAllArcsIfAskedTo) {
  const std::vector<Sentence> sentences = toy_sentences(20, 1);
  const ParserModel model =
      trained(sentences, toy_options(LearnerKind::adagrad, Factorization::grandsibling));
  ASSERT_NE(model.pruner(), nullptr);
  Parser pruning(model);
  ParserOptions all_arcs;
  all_arcs.prune_threshold = 0.0;
  Parser parser(model, all_arcs);
  int pruned_arcs = 0;
  for (const Sentence& sentence : sentences) {
    parser.assign(sentence);
    EXPECT_TRUE(parser.arcs().is_full());
    pruning.assign(sentence);
    pruned_arcs += parser.arcs().size() - pruning.arcs().size();
    EXPECT_LE(pruning.trees().log_partition(), parser.trees().log_partition() + 1e-9);
  }
  EXPECT_GT(pruned_arcs, 0);
}

}  // namespace
}  // namespace copse
