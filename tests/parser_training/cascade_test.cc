// The first-order model that chooses the candidate arcs.
#include "parser_training/cascade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "inference/library_input.h"
#include "parallel/thread_team.h"
#include "parser_training/preparation.h"
#include "parser_training/tiny_treebank.h"
#include "parser_training/toy_training.h"
#include "parsing/arc_pruner.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

using testing::toy_sentences;

constexpr int kBlock = 32;  // sentences that are neighbours are pruned by the same model

std::vector<TrainingSentence> prepared(const std::vector<Sentence>& sentences,
                                       const TrainingOptions& options) {
  PreparationReport report;
  return prepare_training_set(sentences, options, report);
}

TrainingOptions options_with(double threshold, int folds) {
  TrainingOptions options;
  options.root = RootMode::single;
  options.prune_threshold = threshold;
  options.prune_folds = folds;
  return options;
}

struct Cascade {
  Cascade(std::vector<TrainingSentence> training_sentences, std::vector<TrainingSentence> dev_sentences,
          const TrainingOptions& options)
      : training(std::move(training_sentences)),
        development(std::move(dev_sentences)),
        pool(1),
        pruner(train_pruner(training, development, FeatureOptions{}, options, pool, report)) {}

  std::vector<TrainingSentence> training;
  std::vector<TrainingSentence> development;
  TaskPool pool;
  PruningReport report;
  LinearModel pruner;
};

std::vector<Arc> sorted(std::vector<Arc> arcs) {
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
  });
  return arcs;
}

bool contains(const std::vector<Arc>& arcs, const Arc& arc) {
  return std::find(arcs.begin(), arcs.end(), arc) != arcs.end();
}

// What a model leaves of a sentence's arcs, and the gold arcs.
std::vector<Arc> pruned_with_gold(const LinearModel& model, const TrainingSentence& example,
                                  const TrainingOptions& options) {
  std::vector<Arc> arcs;
  ArcPruner(model, options.root).prune(example.sentence, {}, options.prune_threshold, arcs);
  for (int word = 1; word <= example.sentence.size(); ++word) {
    const Arc gold{example.heads[static_cast<std::size_t>(word)], word};
    if (!contains(arcs, gold)) arcs.push_back(gold);
  }
  return sorted(arcs);
}

// So high a threshold that gold arcs are lost unless somebody keeps them.
constexpr double kHarsh = 0.9;

TEST(Cascade, KeepsTheGoldArcsOfTrainingSentences) {
  for (const double threshold : {1e-3, kHarsh, 1.0}) {
    const TrainingOptions options = options_with(threshold, 2);
    const std::vector<Sentence> ambiguous = read_text(testing::ToyGrammar(1, true).treebank(2 * kBlock));
    const Cascade cascade(prepared(ambiguous, options), {}, options);
    std::size_t arcs = 0;
    std::size_t words = 0;
    for (const TrainingSentence& example : cascade.training) {
      for (int word = 1; word <= example.sentence.size(); ++word) {
        EXPECT_TRUE(contains(example.candidates, {example.heads[static_cast<std::size_t>(word)], word}));
      }
      EXPECT_EQ(example.candidates, sorted(example.candidates)) << "in order";
      EXPECT_EQ(std::adjacent_find(example.candidates.begin(), example.candidates.end()),
                example.candidates.end())
          << "and none twice";
      arcs += example.candidates.size();
      words += static_cast<std::size_t>(example.sentence.size());
    }
    EXPECT_DOUBLE_EQ(cascade.report.arcs_per_word, static_cast<double>(arcs) / static_cast<double>(words));
    EXPECT_TRUE(threshold < kHarsh || cascade.report.lost_gold_arcs > 0.0) << "nothing had to be kept";
    EXPECT_LT(cascade.report.arcs_per_word, 5.0);
  }
}

TEST(Cascade, LeavesPartialTreesThatCanBeCompleted) {
  for (const double threshold : {1e-3, kHarsh, 1.0}) {
    const TrainingOptions options = options_with(threshold, 2);
    testing::Generator random = testing::case_generator(0);
    testing::TinyTreebankKind kind;
    kind.trees = options.root;
    kind.share_of_partial_trees = 1.0;
    kind.sentences = 2 * kBlock;
    kind.most_words = 12;
    const Cascade cascade(testing::tiny_treebank(random, kind), {}, options);
    TreeDistribution trees;
    for (const TrainingSentence& example : cascade.training) {
      testing::LibraryInput input;
      input.assign_candidates(example.sentence.size(), Factorization::first, options.root,
                              example.candidates);
      input.constraints.heads = example.heads;
      input.give_to(trees);
      EXPECT_NO_THROW(trees.log_partition());
    }
  }
}

TEST(Cascade, PrunesNewSentencesWithTheModelThatHasSeenAll) {
  const TrainingOptions options = options_with(0.05, 2);
  const Cascade cascade(prepared(toy_sentences(2 * kBlock, 1), options),
                        prepared(toy_sentences(10, 2), options), options);
  EXPECT_EQ(cascade.pruner.factorization(), Factorization::first);
  EXPECT_EQ(cascade.pruner.extractor().options().set, FeatureSet::pruner);
  std::size_t arcs = 0;
  std::size_t words = 0;
  std::size_t lost = 0;
  for (const TrainingSentence& example : cascade.development) {
    std::vector<Arc> expected;
    ArcPruner(cascade.pruner, options.root).prune(example.sentence, {}, options.prune_threshold, expected);
    EXPECT_EQ(example.candidates, expected);
    arcs += expected.size();
    words += static_cast<std::size_t>(example.sentence.size());
    for (int word = 1; word <= example.sentence.size(); ++word) {
      if (!contains(expected, {example.heads[static_cast<std::size_t>(word)], word})) ++lost;
    }
  }
  EXPECT_DOUBLE_EQ(cascade.report.dev_arcs_per_word, static_cast<double>(arcs) / static_cast<double>(words));
  EXPECT_DOUBLE_EQ(cascade.report.dev_lost_gold_arcs, static_cast<double>(lost) / static_cast<double>(words));
}

TEST(Cascade, PrunesTrainingSentencesWithAModelThatHasNotSeenThem) {
  const TrainingOptions options = options_with(0.05, 3);
  const std::vector<TrainingSentence> all = prepared(toy_sentences(4 * kBlock + 7, 1), options);
  const Cascade cascade(all, {}, options);
  for (std::size_t fold = 0; fold < 3; ++fold) {
    std::vector<TrainingSentence> others;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k / kBlock % 3 != fold) others.push_back(all[k]);
    }
    const Cascade of_others(others, {}, options);  // whose model has seen just these
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k / kBlock % 3 != fold) continue;
      EXPECT_EQ(sorted(cascade.training[k].candidates), pruned_with_gold(of_others.pruner, all[k], options))
          << k;
    }
  }
}

TEST(Cascade, PrunesTrainingSentencesWithTheOnlyModelIfThereIsNoOther) {
  for (const auto& [sentences, folds] :
       {std::pair(kBlock, 5), std::pair(2 * kBlock, 1), std::pair(2 * kBlock, 0)}) {
    const TrainingOptions options = options_with(kHarsh, folds);
    const std::vector<TrainingSentence> all =
        prepared(read_text(testing::ToyGrammar(1, true).treebank(sentences)), options);
    const Cascade cascade(all, {}, options);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(sorted(cascade.training[k].candidates), pruned_with_gold(cascade.pruner, all[k], options));
    }
    EXPECT_TRUE(std::isnan(cascade.report.dev_arcs_per_word));
    EXPECT_TRUE(std::isnan(cascade.report.dev_lost_gold_arcs));
  }
}

// The definition: as probable as the threshold says, compared with the word's most probable head, or in the
// best tree.
TEST(ArcPruner, KeepsWhatItsDefinitionSays) {
  const TrainingOptions options = options_with(0.0, 0);
  const Cascade cascade(prepared(toy_sentences(kBlock, 1), options), {}, options);
  ArcPruner pruner(cascade.pruner, options.root);
  for (const Sentence& sentence : toy_sentences(10, 2)) {
    SentenceParts parts;
    parts.assign(sentence.size(), {}, Factorization::first);
    Potentials potentials;
    PartScorer(cascade.pruner).score(sentence, parts.tuples(), potentials);
    TreeDistribution trees;
    trees.assign(parts.parts(), potentials, options.root);
    std::vector<int> best(static_cast<std::size_t>(sentence.size()) + 1);
    trees.best_tree(best);
    const auto probability = [&](int head, int modifier) {
      return head == modifier ? 0.0 : trees.marginals().arc[parts.parts().arc(head, modifier)];
    };
    for (const double threshold : {0.0, 1e-3, 0.1, 1.0}) {
      std::vector<Arc> arcs;
      pruner.prune(sentence, {}, threshold, arcs);
      std::vector<Arc> expected;
      for (int modifier = 1; modifier <= sentence.size(); ++modifier) {
        double highest = 0.0;
        for (int head = 0; head <= sentence.size(); ++head)
          highest = std::max(highest, probability(head, modifier));
        for (int head = 0; head <= sentence.size(); ++head) {
          if (head == modifier) continue;
          const bool is_kept = probability(head, modifier) >= threshold * highest;
          if (is_kept || best[static_cast<std::size_t>(modifier)] == head)
            expected.push_back({head, modifier});
        }
      }
      EXPECT_EQ(sorted(arcs), expected) << threshold;
    }
  }
}

// One process learns the models side by side, several learn one after the other: no difference.
TEST(Cascade, IsTheSameInATeam) {
  const TrainingOptions options = options_with(1e-2, 3);
  const std::vector<Sentence> sentences = toy_sentences(5 * kBlock + 3, 1);
  const std::vector<Sentence> development = toy_sentences(4, 2);
  const Cascade expected(prepared(sentences, options), prepared(development, options), options);
  for (const int size : {1, 2, 3, 7}) {
    run_team(size, [&](Team& team) {
      PreparationReport ignored;
      std::vector<TrainingSentence> own =
          prepare_training_set(keep_own(team, sentences), options, ignored, team);
      std::vector<TrainingSentence> own_development =
          prepare_training_set(keep_own(team, development), options, ignored, team);
      TaskPool pool(size == 1 ? 4 : 1 + team.rank() % 2, team);
      PruningReport report;
      const LinearModel pruner = train_pruner(own, own_development, FeatureOptions{}, options, pool, report);
      EXPECT_EQ(report.arcs_per_word, expected.report.arcs_per_word);
      EXPECT_EQ(report.dev_lost_gold_arcs, expected.report.dev_lost_gold_arcs);
      const auto compare = [](const auto& some, const auto& all) {
        for (const TrainingSentence& example : some) {
          EXPECT_EQ(example.candidates, all[example.number].candidates) << example.number;
        }
      };
      compare(own, expected.training);
      compare(own_development, expected.development);
    });
  }
}

}  // namespace
}  // namespace copse
