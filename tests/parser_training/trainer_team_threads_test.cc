// The processes of a team, each with its own sentences, make the file that one process makes of all of them,
// byte by byte.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "optimisers/training_stopped.h"
#include "parallel/thread_team.h"
#include "parser_training/toy_training.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

using testing::Listener;
using testing::toy_options;

struct TrainingData {
  std::vector<Sentence> sentences;
  std::vector<Sentence> development;
};

// Enough that every training sentence is pruned by a model that has not seen it.
TrainingData toy_data(int sentences, int development) {
  return {read_text(testing::ToyGrammar(1, true).treebank(sentences)),
          read_text(testing::ToyGrammar(2, true).treebank(development))};
}

struct TeamCase {
  std::string name;
  TrainingData data;
  TrainingOptions options;
};

void PrintTo(const TeamCase& test, std::ostream* out) { *out << test.name; }

TrainingOptions short_options(LearnerKind learner, Factorization factorization) {
  TrainingOptions options = toy_options(learner, factorization);
  options.iterations = learner == LearnerKind::lbfgs ? 6 : 2;
  return options;
}

TeamCase with_selected_features() {
  TeamCase test{"selected_features", toy_data(40, 0),
                short_options(LearnerKind::lbfgs, Factorization::grandsibling)};
  test.options.max_features = 300;
  return test;
}

TeamCase with_development() {
  TeamCase test{"development", toy_data(40, 9), short_options(LearnerKind::lbfgs, Factorization::sibling)};
  test.options.max_features = 300;
  test.options.features = FeatureSet::rich;
  return test;
}

TeamCase with_adagrad() {
  TeamCase test{"adagrad", toy_data(40, 5), short_options(LearnerKind::adagrad, Factorization::grandsibling)};
  test.options.max_features = 300;
  return test;
}

TeamCase with_joint_labels() {
  TeamCase test{"joint_labels", toy_data(40, 5), short_options(LearnerKind::lbfgs, Factorization::sibling)};
  test.options.joint_labels = true;
  for (Token& word : test.data.sentences[5].words()) {  // no other process knows of such a root
    if (word.head() == 0) word.set_deprel("nsubj");
  }
  return test;
}

TeamCase with_l1() {
  TeamCase test{"l1", toy_data(34, 0), short_options(LearnerKind::lbfgs, Factorization::grandchild)};
  test.options.l1 = 0.05;
  test.options.cutoff = 2;
  return test;
}

TeamCase with_partial_trees() {
  TeamCase test{"partial_trees", toy_data(40, 0), short_options(LearnerKind::lbfgs, Factorization::sibling)};
  for (std::size_t k = 0; k < test.data.sentences.size(); ++k) {
    Sentence& sentence = test.data.sentences[k];
    for (int word = 1; word <= sentence.size(); ++word) {
      if ((static_cast<int>(k) + word) % 3 == 0) sentence[word].set_head(kNoHead);
    }
  }
  return test;
}

TeamCase with_nonprojective_trees() {
  TeamCase test{"nonprojective_trees", toy_data(20, 5),
                short_options(LearnerKind::lbfgs, Factorization::first)};
  test.options.trees = TreeKind::nonprojective;
  test.options.candidate_features = true;
  for (std::size_t k = 0; k < test.data.sentences.size(); k += 3) {
    Sentence& sentence = test.data.sentences[k];  // a determiner and the word behind its noun change places
    for (int word = 1; word + 3 <= sentence.size(); ++word) {
      if (sentence[word].head() != word + 1) continue;
      sentence[word].set_head(word + 3);
      break;
    }
  }
  return test;
}

TeamCase with_few_sentences() {
  return {"few_sentences", toy_data(2, 1), short_options(LearnerKind::lbfgs, Factorization::sibling)};
}

// Of three processes, one has no sentence to learn from, and another none to measure by.
TeamCase with_empty_shares() {
  TeamCase test{"empty_shares", toy_data(40, 6), short_options(LearnerKind::lbfgs, Factorization::sibling)};
  for (std::size_t k = 1; k < test.data.sentences.size(); k += 3) {
    test.data.sentences[k].set_heads(
        std::vector<int>(static_cast<std::size_t>(test.data.sentences[k].size()) + 1, kNoHead));
  }
  for (std::size_t k = 0; k < test.data.development.size(); k += 3) {
    for (int word = 0; word < 200; ++word) test.data.development[k].add_word("more").set_head(1);
  }
  return test;
}

class TrainerTeam : public TemporaryFolderTest {
 protected:
  // How much of it is heard.
  using Observe = std::function<void(const Team&, const Listener&)>;

  // What the processes do: all of them make the same file. Some have more threads than others.
  std::string train_in_team(int size, const TeamCase& test, int threads,
                            const CheckpointOptions& checkpoints = {}, int stop_after = 0,
                            const Observe& observe = nullptr) const {
    run_team(size, [&](Team& team) {
      TaskPool pool(threads + team.rank() % 2, team);
      Listener listener(team.leads() ? stop_after : 0);
      train(keep_own(team, test.data.sentences), keep_own(team, test.data.development), test.options,
            checkpoints, pool, listener)
          .save(file_of(team.rank()));
      if (observe) observe(team, listener);
    });
    const std::string first = content(file_of(0));
    for (int rank = 1; rank < size; ++rank) EXPECT_TRUE(content(file_of(rank)) == first) << "rank " << rank;
    return first;
  }
  std::string file_of(int rank) const { return path("model-" + std::to_string(rank)); }
};

class TrainerTeamCases : public TrainerTeam, public ::testing::WithParamInterface<TeamCase> {};
INSTANTIATE_TEST_SUITE_P(Kinds, TrainerTeamCases,
                         ::testing::Values(with_selected_features(), with_development(), with_adagrad(),
                                           with_joint_labels(), with_l1(), with_partial_trees(),
                                           with_nonprojective_trees(), with_few_sentences(),
                                           with_empty_shares()),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(TrainerTeamCases, MakeTheSameFile) {
  const std::size_t most_features = GetParam().options.max_features.value_or(0);
  const std::string expected =
      train_in_team(1, GetParam(), 1, {}, 0, [&](const Team&, const Listener& listener) {
        if (most_features == 0) return;  // otherwise some were dropped
        EXPECT_EQ(listener.lists.features, static_cast<std::int64_t>(most_features));
      });
  for (const int size : {2, 3, 7}) {
    EXPECT_TRUE(train_in_team(size, GetParam(), size == 3 ? 2 : 1) == expected) << size << " processes";
  }
}

TEST_F(TrainerTeam, ReportsAreAboutAllSentences) {
  const TeamCase test = with_empty_shares();
  Listener alone;
  train_in_team(1, test, 1, {}, 0, [&](const Team&, const Listener& listener) { alone = listener; });
  train_in_team(3, test, 1, {}, 0, [&](const Team&, const Listener& listener) {
    EXPECT_EQ(listener.prepared.sentences, alone.prepared.sentences);
    EXPECT_EQ(listener.prepared.words, alone.prepared.words);
    EXPECT_EQ(listener.prepared.without_heads, alone.prepared.without_heads);
    EXPECT_EQ(listener.development.sentences, alone.development.sentences);
    EXPECT_EQ(listener.development.too_long, alone.development.too_long);
    EXPECT_EQ(listener.pruned->arcs_per_word, alone.pruned->arcs_per_word);
    EXPECT_EQ(listener.pruned->dev_lost_gold_arcs, alone.pruned->dev_lost_gold_arcs);
    EXPECT_EQ(listener.lists.features, alone.lists.features);
    EXPECT_EQ(listener.lists.sentences, alone.lists.sentences);
    EXPECT_EQ(listener.lists.bytes_of_lists, alone.lists.bytes_of_lists);
    ASSERT_EQ(listener.iterations.size(), alone.iterations.size());
    EXPECT_EQ(listener.iterations.back().objective, alone.iterations.back().objective);
  });
  EXPECT_GT(alone.prepared.without_heads, 0);
  EXPECT_GT(alone.development.too_long, 0);
}

TEST_F(TrainerTeam, GoesOnWithAnotherNumberOfProcesses) {
  struct Stop {
    int size;
    int after;  // iterations
  };
  TeamCase adagrad = with_adagrad();
  adagrad.options.max_features = 0;
  adagrad.options.iterations = 4;
  const std::vector<std::pair<TeamCase, std::vector<Stop>>> runs = {
      {with_development(), {{2, 3}, {1, 14}, {3, 1}}},  // while features are selected, and later
      {adagrad, {{2, 1}, {1, 1}, {3, 1}}}};
  for (const auto& [test, stops] : runs) {
    const std::string expected = train_in_team(1, test, 1);
    CheckpointOptions checkpoints{path("checkpoints"), false};
    for (const Stop& stop : stops) {
      EXPECT_THROW(train_in_team(stop.size, test, 1, checkpoints, stop.after), TrainingStopped);
      checkpoints.resume = true;
    }
    EXPECT_TRUE(train_in_team(7, test, 1, checkpoints) == expected) << test.name;
    remove_checkpoints(checkpoints.folder);
  }
}

TEST_F(TrainerTeam, RefusesLearnersThatCannotBeDivided) {
  for (const LearnerKind learner : {LearnerKind::perceptron, LearnerKind::mira}) {
    const TeamCase test{"", toy_data(4, 0), short_options(learner, Factorization::first)};
    EXPECT_THROW(train_in_team(2, test, 1), DataError);
  }
}

TEST_F(TrainerTeam, FindsThatThereIsNothingToLearnFrom) {
  TeamCase test = with_few_sentences();
  test.data.sentences.clear();
  EXPECT_THROW(train_in_team(3, test, 1), DataError);
}

}  // namespace
}  // namespace copse
