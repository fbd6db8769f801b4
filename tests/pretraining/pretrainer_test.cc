// Learning an encoder: it learns; the same bytes for any number of threads, interrupted or not.
#include "pretraining/pretrainer.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "optimisers/training_stopped.h"
#include "pretraining/toy_text.h"

namespace copse {
namespace {

// Stops after so many iterations, if any.
class PretrainListener : public PretrainingObserver {
 public:
  explicit PretrainListener(int stop_after = 0) : stop_after_(stop_after) {}
  void on_iteration(const IterationReport& report) override {
    losses.push_back(report.objective);
    last = report.iteration;
  }
  void on_resumed(int iterations) override { resumed = iterations; }
  void on_step(const MaskedProgress& progress) override { words = progress.words; }
  bool should_stop() override { return last == stop_after_; }

  std::vector<double> losses;
  std::uint64_t words = 0;
  int last = 0;
  int resumed = 0;

 private:
  int stop_after_;
};

class PretrainerTest : public TemporaryFolderTest {
 protected:
  std::string bytes_with(int threads, const PretrainingOptions& options, const CheckpointOptions& checkpoints,
                         PretrainListener& listener) const {
    const auto text = testing::toy_text(200, options.shape);
    TaskPool pool(threads);
    pretrain(text.get(), options, checkpoints, pool, listener).save(path("encoder"));
    return content(path("encoder"));
  }
};

TEST_F(PretrainerTest, TheLossFalls) {
  PretrainListener listener;
  PretrainingOptions options = testing::toy_pretraining();
  options.batches.passes = 8;
  bytes_with(2, options, {}, listener);
  ASSERT_GT(listener.losses.size(), 8U);
  // 17 words at random: 2.8. Half of the hidden ones can be known from the others.
  EXPECT_GT(listener.losses.front(), 2.0);
  EXPECT_LT(listener.losses.back(), 1.0);
  EXPECT_EQ(listener.words, 8 * testing::toy_text(200, testing::toy_shape())->words());
}

TEST_F(PretrainerTest, GivesTheSameFileWithAnyNumberOfThreadsAndAfterInterruptions) {
  PretrainingOptions options = testing::toy_pretraining();
  options.precision = Precision::float32;
  PretrainListener undisturbed;
  const std::string expected = bytes_with(1, options, {}, undisturbed);
  PretrainListener again;
  EXPECT_TRUE(bytes_with(3, options, {}, again) == expected);
  const auto iterations = static_cast<int>(undisturbed.losses.size());
  for (const int stop : {1, iterations / 2, iterations - 1}) {
    SCOPED_TRACE(stop);
    PretrainListener stopped(stop);
    EXPECT_THROW(bytes_with(2, options, {path("checkpoints"), false}, stopped), TrainingStopped);
    PretrainListener resumed;
    EXPECT_TRUE(bytes_with(1, options, {path("checkpoints"), true}, resumed) == expected);
    EXPECT_EQ(resumed.resumed, stop);
    EXPECT_EQ(resumed.losses.size(), undisturbed.losses.size() - static_cast<std::size_t>(stop));
  }
  // With few checkpoints there is one where a run is stopped, and no other is left.
  options.checkpoint_seconds = 1e6;
  PretrainListener stopped(iterations / 2);
  EXPECT_THROW(bytes_with(2, options, {path("few"), false}, stopped), TrainingStopped);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("few")), {}), 1);
  PretrainListener resumed;
  EXPECT_TRUE(bytes_with(2, options, {path("few"), true}, resumed) == expected);
}

TEST_F(PretrainerTest, CheckpointsOfOtherRunsAreRefused) {
  PretrainingOptions options = testing::toy_pretraining();
  PretrainListener stopped(1);
  EXPECT_THROW(bytes_with(1, options, {path("checkpoints"), false, 1}, stopped), TrainingStopped);
  PretrainListener other;
  EXPECT_THROW(bytes_with(1, options, {path("checkpoints"), true, 2}, other), DataError);
  options.window_words *= 2;
  EXPECT_THROW(bytes_with(1, options, {path("checkpoints"), true, 1}, other), DataError);
}

TEST_F(PretrainerTest, ALossThatIsNoNumberStopsIt) {
  PretrainingOptions options = testing::toy_pretraining();
  options.learning.rate = 1e30F;
  PretrainListener listener;
  EXPECT_THROW(bytes_with(1, options, {}, listener), DataError);
}

TEST_F(PretrainerTest, ADeviceThatIsNotThereIsRefused) {
  if (is_available(Device::cuda)) GTEST_SKIP() << "there is a GPU";
  PretrainingOptions options = testing::toy_pretraining();
  options.device = Device::cuda;
  PretrainListener listener;
  EXPECT_THROW(bytes_with(1, options, {}, listener), DataError);
}

}  // namespace
}  // namespace copse
