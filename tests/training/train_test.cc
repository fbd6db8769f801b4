// Training as programs call it.
#include "training/train.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "pipeline/model_components.h"
#include "toy_treebank.h"
#include "training/usage_error.h"

namespace copse::testing {
namespace {

// Notes what it hears, and stops the run after some iterations of the parser.
class Listener : public TrainObserver {
 public:
  explicit Listener(int last_iteration = 1000) : last_iteration_(last_iteration) {}

  void on_start(const TrainRequest& request) override {
    heard += "start ";
    effective = request;
  }
  void on_stage(std::string_view what) override { stages.emplace_back(what); }
  void on_tagged(const TaggedReport& report) override {
    heard += "tagged ";
    tagged = report;
  }
  void on_resumed(int iterations) override { resumed = iterations; }
  void on_iteration(const IterationReport& report) override { iteration_ = report.iteration; }
  void on_labeller(std::size_t labels) override { heard += labels > 0 ? "labels " : "none "; }
  void on_learnt() override { heard += "learnt "; }
  void on_parsing_development() override { heard += "development "; }
  void on_end(const TrainResult& result) override { heard += result.bytes > 0 ? "end" : "nothing"; }
  bool should_stop() override { return iteration_ >= last_iteration_; }

  std::string heard;
  TrainRequest effective;
  TaggedReport tagged;
  std::vector<std::string> stages;
  int resumed = 0;

 private:
  int last_iteration_;
  int iteration_ = 0;
};

class TrainTest : public TemporaryFolderTest {
 protected:
  void SetUp() override {
    TemporaryFolderTest::SetUp();
    std::ofstream(path("train")) << toy_treebank(40, 1);
    std::ofstream(path("dev")) << toy_treebank(10, 2);
    request_.train = {path("train")};
    request_.dev = {path("dev")};
    request_.model = path("model");
    request_.factorization = Factorization::first;
    request_.iterations = 5;
    request_.threads = 1;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TrainRequest request_;
};

TEST_F(TrainTest, ObserversHearWhatHappensAndNothingElseIsWritten) {
  request_.pipeline = true;
  request_.folds = 2;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Listener listener;
  const TrainResult result = train(request_, Team::alone(), listener);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(listener.heard, "start tagged labels learnt development end");
  EXPECT_EQ(listener.stages.front(), "learning to find sentences and words in text");
  EXPECT_EQ(listener.tagged.folds, 2);
  EXPECT_FALSE(listener.tagged.accuracies.empty());
  EXPECT_EQ(listener.effective.labels, Labelling::two_stage);
  EXPECT_EQ(result.bytes, static_cast<std::int64_t>(std::filesystem::file_size(path("model"))));
  EXPECT_TRUE(result.has_labels);
  EXPECT_EQ(result.development->scores()[Measure::uas].value(), 1.0);
  EXPECT_EQ(files(), (std::vector<std::string>{"dev", "model", "train"}));
}

TEST_F(TrainTest, StoppedRunsGoOn) {
  request_.training.learner = LearnerKind::perceptron;
  Listener undisturbed;
  train(request_, Team::alone(), undisturbed);
  const std::string expected = content(path("model"));
  std::filesystem::remove(path("model"));
  Listener impatient(2);
  EXPECT_THROW(train(request_, Team::alone(), impatient), TrainingStopped);
  EXPECT_TRUE(can_resume(request_));
  EXPECT_EQ(files(), (std::vector<std::string>{"dev", "model.checkpoint", "train"}));
  Listener again;
  EXPECT_THROW(train(request_, Team::alone(), again), DataError);  // without resume
  request_.resume = true;
  request_.training.seed = 2;
  EXPECT_THROW(train(request_, Team::alone(), again), DataError);
  request_.training.seed = 1;
  request_.threads = 2;
  train(request_, Team::alone(), again);
  EXPECT_EQ(again.resumed, 2);
  EXPECT_TRUE(content(path("model")) == expected);
  EXPECT_FALSE(can_resume(request_));
}

TEST_F(TrainTest, BadRequestsAreRefusedBeforeTheWork) {
  request_.training.trees = TreeKind::nonprojective;
  request_.factorization = Factorization::sibling;
  Listener listener;
  EXPECT_THROW(train(request_, Team::alone(), listener), UsageError);
  EXPECT_EQ(listener.heard, "");
}

TEST_F(TrainTest, ModelsRememberWhetherTheyHaveSeenTags) {
  std::string untagged;
  for (const char* row : {"1\ta\t_\t_\t_\t_\t2\tl\t_\t_\n", "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"})
    untagged += row;
  std::ofstream(path("train")) << untagged + untagged;
  request_.dev.clear();
  Listener listener;
  train(request_, Team::alone(), listener);
  EXPECT_FALSE(ModelComponents::load(path("model")).needs_tags());
  std::ofstream(path("train")) << toy_treebank(5, 1);
  train(request_, Team::alone(), listener);
  EXPECT_TRUE(ModelComponents::load(path("model")).needs_tags());
}

}  // namespace
}  // namespace copse::testing
