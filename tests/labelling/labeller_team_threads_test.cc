// Labellers that are learnt by the processes of a team.
#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller_trainer.h"
#include "parallel/common_result.h"
#include "treebank/dealt_sentences.h"

namespace copse::testing {
namespace {

class LabellersOfTeams : public TemporaryFolderTest, public ::testing::WithParamInterface<int> {
 protected:
  // The file of a labeller.
  std::string trained(Team& team, int threads, std::vector<Sentence> sentences,
                      std::vector<Sentence> dev) const {
    TaskPool pool(threads, team);
    SequenceObserver observer;
    LabellerTrainingOptions options;
    options.iterations = 3;
    const std::string name = path(std::to_string(team.rank()));
    SectionFileWriter file(name);
    train_labeller(keep_own(team, std::move(sentences)), keep_own(team, std::move(dev)), options, pool,
                   observer)
        .add_to(file);
    file.close();
    return content(name);
  }
  void expect_same(const std::vector<Sentence>& sentences, const std::vector<Sentence>& dev) const {
    const std::string alone = trained(Team::alone(), 1, sentences, dev);
    EXPECT_TRUE(alone == common_result(GetParam(), [&](Team& team) {
                  return trained(team, team.rank() % 2 + 1, sentences, dev);
                }));
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, LabellersOfTeams, ::testing::Values(1, 2, 3, 7));

TEST_P(LabellersOfTeams, SameFileAsOfOneProcess) {
  std::vector<Sentence> sentences = read_text(labelled_toys(60, 1));
  sentences[5][3].set_deprel("once");  // a label of the root that one process has
  sentences[8][2].set_deprel("_");
  expect_same(sentences, read_text(labelled_toys(15, 2)));
}

// Then a coarse model chooses candidates, on folds.
TEST_P(LabellersOfTeams, ManyLabels) {
  std::vector<Sentence> sentences = read_text(labelled_toys(60, 1));
  int number = 0;
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) {
      if (word.head() != 0) word.set_deprel("label" + std::to_string(++number % 230));
    }
  }
  expect_same(sentences, {});
}

// The features of words are read one by one in all processes, or in none.
TEST_P(LabellersOfTeams, ManyFeatures) {
  std::vector<Sentence> sentences = read_text(labelled_toys(60, 1));
  int number = 0;
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_feats("Case=" + std::to_string(++number % 7));
  }
  expect_same(sentences, {});
}

TEST_P(LabellersOfTeams, FewerSentencesThanProcesses) { expect_same(read_text(labelled_toys(2, 1)), {}); }

TEST_P(LabellersOfTeams, NothingToLearnFrom) {
  EXPECT_THROW(run_team(GetParam(), [&](Team& team) { trained(team, 1, {}, {}); }), DataError);
}

}  // namespace
}  // namespace copse::testing
