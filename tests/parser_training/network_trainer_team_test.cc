// Processes that train a model with a network together, each with its share of the sentences: the very file
// that one process makes of all of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/temporary_folder.h"
#include "optimisers/training_stopped.h"
#include "parallel/thread_team.h"
#include "parser_training/network_trainer.h"
#include "parser_training/toy_training.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

class NetworkTrainerTeam : public TemporaryFolderTest {
 protected:
  NetworkTrainerTeam() {
    options_.iterations = 3;
    network_.shape.hidden = 48;
    network_.shape.arc_size = 40;
    network_.shape.label_size = 20;
    network_.shape.rank = 16;
    network_.batch_words = 100;  // several steps
    network_.precision = Precision::float32;
  }

  ParserModel train(Team& team, const CheckpointOptions& checkpoints, int stop_after = 0) const {
    TaskPool pool(1 + team.rank() % 2, team);
    testing::Listener listener(stop_after);
    ParserModel model = train_network(keep_own(team, sentences_), keep_own(team, development_), options_,
                                      network_, checkpoints, pool, listener);
    EXPECT_EQ(listener.prepared.sentences, static_cast<std::int64_t>(sentences_.size()));
    return model;
  }

  // The model of each process.
  std::vector<std::string> files_with(int size, const CheckpointOptions& checkpoints = {}) const {
    std::vector<std::string> files(static_cast<std::size_t>(size));
    run_team(size, [&](Team& team) {
      const std::string file = path("model" + std::to_string(team.rank()));
      train(team, checkpoints).save(file);
      files[static_cast<std::size_t>(team.rank())] = content(file);
    });
    return files;
  }

  std::vector<Sentence> sentences_ = read_text(testing::ToyGrammar(1, true).treebank(30));
  std::vector<Sentence> development_ = read_text(testing::ToyGrammar(2, true).treebank(40));
  TrainingOptions options_ = testing::toy_options(LearnerKind::lbfgs, Factorization::sibling);
  NetworkOptions network_;
};

TEST_F(NetworkTrainerTeam, MakesTheFileOfOneProcess) {
  const std::string expected = files_with(1).front();
  for (const int size : {2, 3, 7}) {
    SCOPED_TRACE(size);
    for (const std::string& file : files_with(size)) EXPECT_TRUE(file == expected);
  }
}

TEST_F(NetworkTrainerTeam, SomeProcessesMayHaveNothing) {
  sentences_.resize(2);
  development_.resize(1);
  const std::string expected = files_with(1).front();
  for (const std::string& file : files_with(3)) EXPECT_TRUE(file == expected);
  development_.clear();
  const std::string without = files_with(1).front();
  EXPECT_FALSE(without == expected);
  for (const std::string& file : files_with(3)) EXPECT_TRUE(file == without);
}

TEST_F(NetworkTrainerTeam, GoesOnWithAnotherNumberOfProcesses) {
  const std::string expected = files_with(1).front();
  int number = 0;
  for (const auto& [before, after] : std::vector<std::pair<int, int>>{{3, 2}, {1, 3}, {2, 1}}) {
    SCOPED_TRACE(before);
    const std::string folder = path("checkpoints" + std::to_string(++number));
    run_team(before, [&](Team& team) { EXPECT_THROW(train(team, {folder, false}, 2), TrainingStopped); });
    for (const std::string& file : files_with(after, {folder, true})) EXPECT_TRUE(file == expected);
  }
}

}  // namespace
}  // namespace copse
