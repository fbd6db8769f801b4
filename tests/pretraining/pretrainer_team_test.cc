// Processes that learn an encoder together: the very file that one process makes, interrupted or not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/temporary_folder.h"
#include "optimisers/training_stopped.h"
#include "parallel/thread_team.h"
#include "pretraining/dealt_batches.h"
#include "pretraining/toy_text.h"

namespace copse {
namespace {

// Stops after so many iterations, if any.
class Listener : public PretrainingObserver {
 public:
  explicit Listener(int stop_after = 0) : stop_after_(stop_after) {}
  void on_iteration(const IterationReport& report) override { last_ = report.iteration; }
  bool should_stop() override { return last_ == stop_after_; }

 private:
  int stop_after_;
  int last_ = 0;
};

class PretrainerTeam : public TemporaryFolderTest {
 protected:
  PretrainerTeam() {
    options_ = testing::toy_pretraining();
    options_.batches.passes = 2;
    options_.shape.spelling = Spelling::both;
    options_.shape.hidden = 96;  // more than one process has a share of the weights
  }

  // The text is rank 0's.
  PretrainedEncoder learn(Team& team, const CheckpointOptions& checkpoints, int stop_after = 0) const {
    std::unique_ptr<EncoderText> text;
    if (team.leads()) text = testing::toy_text(120, options_.shape);
    TaskPool pool(1 + team.rank() % 2, team);
    Listener listener(stop_after);
    return pretrain(text.get(), options_, checkpoints, pool, listener);
  }

  // The encoder of each process.
  std::vector<std::string> files_with(int size, const CheckpointOptions& checkpoints = {}) const {
    std::vector<std::string> files(static_cast<std::size_t>(size));
    run_team(size, [&](Team& team) {
      const std::string file = path("encoder" + std::to_string(team.rank()));
      learn(team, checkpoints).save(file);
      files[static_cast<std::size_t>(team.rank())] = content(file);
    });
    return files;
  }

  PretrainingOptions options_;
};

TEST_F(PretrainerTeam, MakesTheFileOfOneProcess) {
  std::vector<Precision> precisions = {Precision::float32};
  if (has_bfloat16()) precisions.push_back(Precision::bfloat16);
  for (const Precision precision : precisions) {
    options_.precision = precision;
    const std::string expected = files_with(1).front();
    for (const int size : {2, 3, 7}) {
      SCOPED_TRACE(size);
      for (const std::string& file : files_with(size)) EXPECT_TRUE(file == expected);
    }
  }
}

TEST_F(PretrainerTeam, GoesOnWithAnotherNumberOfProcesses) {
  options_.precision = Precision::float32;
  const std::string expected = files_with(1).front();
  int number = 0;
  for (const auto& [before, after] : std::vector<std::pair<int, int>>{{3, 2}, {1, 3}, {2, 1}}) {
    SCOPED_TRACE(before);
    const std::string folder = path("checkpoints" + std::to_string(++number));
    run_team(before, [&, team_size = before](Team& team) {
      EXPECT_EQ(team.size(), team_size);
      EXPECT_THROW(learn(team, {folder, false}, 1), TrainingStopped);
    });
    for (const std::string& file : files_with(after, {folder, true})) EXPECT_TRUE(file == expected);
  }
}

TEST_F(PretrainerTeam, EveryProcessGetsTheBatchesOfItsParts) {
  const auto text = testing::toy_text(120, testing::toy_shape(64, Spelling::both));
  text->choose(1, 100, 300);
  MaskedBatchOptions options;
  options.batch_words = 100;
  options.parts = 5;
  MaskedBatches expected(*text, options);
  std::vector<MaskedBatchSource::Step> steps;
  std::vector<std::vector<MaskedBatch>> batches;
  for (std::uint64_t window = 0; window < expected.windows();) {
    steps.push_back(expected.next());
    batches.emplace_back();
    for (const ExampleBatch& part : steps.back().parts) {
      batches.back().push_back(expected.slots()[part.front()]);
    }
    window += steps.back().ends_window ? 1 : 0;
  }
  ASSERT_GT(steps.size(), 3U);
  run_team(3, [&](Team& team) {
    std::optional<MaskedBatches> source;
    if (team.leads()) source.emplace(*text, options);
    DealtBatches dealt(team, source ? &*source : nullptr, options.parts);
    EXPECT_EQ(dealt.windows(), expected.windows());
    for (std::size_t number = 0; number < steps.size(); ++number) {
      const MaskedBatchSource::Step& step = dealt.next();
      ASSERT_EQ(step.parts.size(), steps[number].parts.size());
      EXPECT_EQ(step.words, steps[number].words);
      EXPECT_EQ(step.hidden, steps[number].hidden);
      EXPECT_EQ(step.ends_window, steps[number].ends_window);
      for (std::size_t part = 0; part < step.parts.size(); ++part) {
        if (!is_own(team, part)) continue;
        const MaskedBatch& batch = dealt.slots()[step.parts[part].front()];
        const MaskedBatch& other = batches[number][part];
        EXPECT_EQ(batch.inputs.words, other.inputs.words);
        EXPECT_EQ(batch.inputs.affixes, other.inputs.affixes);
        EXPECT_EQ(batch.inputs.character_begins, other.inputs.character_begins);
        EXPECT_EQ(batch.inputs.characters, other.inputs.characters);
        EXPECT_FALSE(batch.inputs.characters.empty());
        EXPECT_EQ(batch.inputs.character_begins, other.inputs.character_begins);
        EXPECT_EQ(batch.inputs.feature_begins, other.inputs.feature_begins);
        EXPECT_EQ(batch.kept, other.kept);
        EXPECT_EQ(batch.hidden_rows, other.hidden_rows);
        EXPECT_EQ(batch.gold, other.gold);
        ASSERT_EQ(batch.sequences.count(), other.sequences.count());
        for (std::size_t k = 0; k < batch.sequences.count(); ++k) {
          EXPECT_EQ(batch.sequences.length(k), other.sequences.length(k));
        }
      }
    }
  });
}

}  // namespace
}  // namespace copse
