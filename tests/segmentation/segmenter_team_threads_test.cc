// Segmenters that are learnt by the processes of a team, whose texts are cut between all sentences.
#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "parallel/common_result.h"
#include "segmentation/segmented_toys.h"
#include "treebank/dealt_sentences.h"

namespace copse::testing {
namespace {

class HeardData : public SegmenterObserver {
 public:
  std::string figures;
  void on_data(const Data& data) override {
    for (const std::int64_t figure :
         {data.characters, data.slots, data.lost, static_cast<std::int64_t>(data.words),
          static_cast<std::int64_t>(data.split_forms), static_cast<std::int64_t>(data.split_ends)}) {
      figures += std::to_string(figure) + " ";
    }
  }
};

class SegmentersOfTeams : public TemporaryFolderTest, public ::testing::WithParamInterface<int> {
 protected:
  // What is said of the data, and the file of a segmenter.
  std::string trained(Team& team, int threads, std::vector<Sentence> sentences,
                      std::vector<Sentence> dev) const {
    TaskPool pool(threads, team);
    HeardData heard;
    SegmenterTrainingOptions options;
    options.iterations = 3;
    const std::string file = path(std::to_string(team.rank()));
    train_segmenter(keep_own(team, std::move(sentences)), keep_own(team, std::move(dev)), options, pool,
                    heard)
        .save(file);
    return heard.figures + content(file);
  }
  void expect_same(const std::vector<Sentence>& sentences, const std::vector<Sentence>& dev) const {
    const std::string alone = trained(Team::alone(), 1, sentences, dev);
    EXPECT_TRUE(alone == common_result(GetParam(), [&](Team& team) {
                  return trained(team, team.rank() % 2 + 1, sentences, dev);
                }));
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, SegmentersOfTeams, ::testing::Values(1, 2, 3, 7));

// So many that rules come from other folds.
TEST_P(SegmentersOfTeams, SameFileAsOfOneProcess) {
  expect_same(read_text(segmented_toys(450, 1)), read_text(segmented_toys(30, 2)));
}

// With splitters that are learnt beside.
TEST_P(SegmentersOfTeams, SameFileWithTokensOfManyWords) {
  expect_same(read_text(glued_toys(200, 1)), read_text(glued_toys(30, 2)));
}

TEST_P(SegmentersOfTeams, FewerPiecesThanProcesses) { expect_same(read_text(segmented_toys(9, 1)), {}); }

TEST_P(SegmentersOfTeams, NothingToLearnFrom) {
  EXPECT_THROW(run_team(GetParam(), [&](Team& team) { trained(team, 1, {}, {}); }), DataError);
}

}  // namespace
}  // namespace copse::testing
