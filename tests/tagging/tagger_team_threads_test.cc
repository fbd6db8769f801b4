// Taggers that are learnt by the processes of a team.
#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "parallel/common_result.h"
#include "tagging/tagged_toys.h"
#include "tagging/treebank_tagger.h"
#include "treebank/dealt_sentences.h"

namespace copse::testing {
namespace {

class TaggersOfTeams : public TemporaryFolderTest, public ::testing::WithParamInterface<int> {
 protected:
  // The file of a tagger.
  std::string trained(Team& team, int threads, std::vector<Sentence> sentences,
                      std::vector<Sentence> dev) const {
    TaskPool pool(threads, team);
    TaggerObserver observer;
    TaggerTrainingOptions options;
    options.iterations = 3;
    const std::string file = path(std::to_string(team.rank()));
    train_tagger(keep_own(team, std::move(sentences)), keep_own(team, std::move(dev)), options, pool,
                 observer)
        .save(file);
    return content(file);
  }
  void expect_same(const std::vector<Sentence>& sentences, const std::vector<Sentence>& dev) const {
    const std::string alone = trained(Team::alone(), 1, sentences, dev);
    EXPECT_TRUE(alone == common_result(GetParam(), [&](Team& team) {
                  return trained(team, team.rank() % 2 + 1, sentences, dev);
                }));
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, TaggersOfTeams, ::testing::Values(1, 2, 3, 7));

TEST_P(TaggersOfTeams, SameFileAsOfOneProcess) {
  std::vector<Sentence> sentences = read_text(tagged_toys(70, 1));
  sentences[11].clear();  // still has a number
  expect_same(sentences, read_text(tagged_toys(15, 2)));
}

TEST_P(TaggersOfTeams, FewerSentencesThanProcesses) { expect_same(read_text(tagged_toys(2, 1)), {}); }

TEST_P(TaggersOfTeams, ColumnsThatOneProcessHas) {
  std::vector<Sentence> sentences = read_text(tagged_toys(30, 1));
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    if (k == 8) continue;
    for (Token& word : sentences[k].words()) word.set_feats("_");
  }
  expect_same(sentences, {});
}

TEST_P(TaggersOfTeams, NothingToLearnFrom) {
  EXPECT_THROW(run_team(GetParam(), [&](Team& team) { trained(team, 1, {}, {}); }), DataError);
}

TEST_P(TaggersOfTeams, ScoresAreThoseOfAllSentences) {
  const std::vector<Sentence> sentences = read_text(tagged_toys(10, 1));
  const std::vector<Sentence> gold = read_text(tagged_toys(30, 2));
  std::vector<Sentence> tagged = gold;
  for (std::size_t k = 0; k < tagged.size(); k += 3) tagged[k][1].set_upos("X");
  const auto scores = [&](Team& team) {
    TaggingEvaluator evaluator(keep_own(team, sentences), team);
    const std::vector<Sentence> own = keep_own(team, gold);
    const std::vector<Sentence> own_tagged = keep_own(team, tagged);
    for (std::size_t k = 0; k < own.size(); ++k) evaluator.add(own[k], own_tagged[k]);
    evaluator.add_up(team);
    const TaggingScore& score = evaluator.score(TagAttribute::upos);
    return std::vector<std::int64_t>{score.words, score.right, score.unknown_words, score.unknown_right};
  };
  const std::vector<std::int64_t> alone = scores(Team::alone());
  EXPECT_EQ(alone[0] - alone[1], 10);
  EXPECT_GT(alone[2], 0);
  EXPECT_EQ(alone, common_result(GetParam(), scores));
}

}  // namespace
}  // namespace copse::testing
