// Sentences of a team, tagged by what the other folds teach.
#include <gtest/gtest.h>

#include "copse/error.h"
#include "parallel/common_result.h"
#include "pipeline/predicted_tags.h"
#include "tagging/tagged_toys.h"
#include "treebank/dealt_sentences.h"

namespace copse::testing {
namespace {

class JackknifesOfTeams : public ::testing::TestWithParam<int> {
 protected:
  static std::string tagged(Team& team, int threads, const std::vector<Sentence>& sentences, int folds) {
    TaskPool pool(threads, team);
    TaggerObserver observer;
    TaggerTrainingOptions options;
    options.iterations = 2;
    return write_text(
        gather_sentences(team, jackknife_tags(keep_own(team, sentences), folds, options, pool, observer)));
  }
  static void expect_same(const std::vector<Sentence>& sentences, int folds) {
    const std::string alone = tagged(Team::alone(), 1, sentences, folds);
    EXPECT_NE(alone, write_text(sentences));
    EXPECT_EQ(alone, common_result(GetParam(), [&](Team& team) {
                return tagged(team, team.rank() % 2 + 1, sentences, folds);
              }));
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, JackknifesOfTeams, ::testing::Values(1, 2, 3, 7));

TEST_P(JackknifesOfTeams, SameTagsAsOfOneProcess) {
  expect_same(read_text(tagged_toys(70, 1)), 2);  // blocks of sentences
  expect_same(read_text(tagged_toys(20, 1)), 3);  // one by one
  expect_same(read_text(tagged_toys(4, 1)), 4);
}

TEST_P(JackknifesOfTeams, FewerSentencesThanFolds) {
  const std::vector<Sentence> sentences = read_text(tagged_toys(3, 1));
  EXPECT_THROW(run_team(GetParam(), [&](Team& team) { tagged(team, 1, sentences, 4); }), DataError);
}

}  // namespace
}  // namespace copse::testing
