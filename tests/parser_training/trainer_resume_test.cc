// A training run that was interrupted arrives at the very model of one that was not.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "parser_training/toy_training.h"

namespace copse {
namespace {

using testing::kLearners;
using testing::Listener;
using testing::toy_options;
using testing::toy_sentences;

class TrainerResumeTest : public TemporaryFolderTest {
 protected:
  // The bytes of the model's file.
  std::string train_to_bytes(const TrainingOptions& options, Listener& listener, bool resume = true) {
    TaskPool pool(1);
    train(sentences_, development_, options, {path("checkpoints"), resume, fingerprint_}, pool, listener)
        .save(path("model"));
    return content(path("model"));
  }
  std::string uninterrupted(const TrainingOptions& options) {
    Listener listener;
    std::string bytes = train_to_bytes(options, listener, false);
    iterations_ = static_cast<int>(listener.iterations.size());
    return bytes;
  }
  void forget() { std::filesystem::remove_all(path("checkpoints")); }

  std::vector<Sentence> sentences_ = read_text(testing::ToyGrammar(1, true).treebank(24));
  std::vector<Sentence> development_;
  std::uint64_t fingerprint_ = 0;  // of options
  int iterations_ = 0;
};

TEST_F(TrainerResumeTest, AfterEveryIteration) {
  for (const bool with_development : {false, true}) {
    if (with_development) development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
    for (const LearnerKind learner : kLearners) {
      TrainingOptions options = toy_options(learner, Factorization::sibling);
      options.iterations = learner == LearnerKind::lbfgs ? 10 : 3;
      const std::string expected = uninterrupted(options);
      forget();
      ASSERT_GT(iterations_, 1);
      for (int stop = 1; stop < iterations_; stop += learner == LearnerKind::lbfgs ? 7 : 1) {
        SCOPED_TRACE(std::string(name(learner)) + ", stopped after iteration " + std::to_string(stop));
        Listener impatient(stop);
        EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
        EXPECT_EQ(impatient.resumed_after, 0);
        Listener listener;
        EXPECT_TRUE(train_to_bytes(options, listener) == expected);
        EXPECT_EQ(listener.resumed_after, stop);
        EXPECT_EQ(listener.iterations.front().iteration, stop + 1);
        forget();
      }
    }
  }
}

// As when the program is killed after the last iteration and before the model is written.
TEST_F(TrainerResumeTest, AfterTheEnd) {
  for (const LearnerKind learner : kLearners) {
    SCOPED_TRACE(name(learner));
    sentences_ = toy_sentences(24, 1);  // which can be learnt by heart, so that learners end by themselves
    TrainingOptions options = toy_options(learner, Factorization::first);
    options.iterations = learner == LearnerKind::adagrad ? 5 : 200;
    const std::string expected = uninterrupted(options);
    EXPECT_TRUE(learner == LearnerKind::adagrad || iterations_ < 200);
    Listener listener;
    EXPECT_TRUE(train_to_bytes(options, listener) == expected);
    EXPECT_EQ(listener.resumed_after, iterations_);
    EXPECT_TRUE(listener.iterations.empty()) << "there was nothing left to do";
    forget();
  }
}

// As when the program is killed after the best weights were written, and before their iteration was.
TEST_F(TrainerResumeTest, WithBestWeightsOfAnIterationThatIsStillToCome) {
  development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  for (const int iterations : {2, 1}) {
    options.iterations = iterations;
    const std::string expected = uninterrupted(options);
    options.iterations = 2;
    uninterrupted(options);
    ASSERT_TRUE(std::filesystem::remove(path("checkpoints") + "/l2-0.1/iteration-2"));
    options.iterations = iterations;
    Listener listener;
    EXPECT_TRUE(train_to_bytes(options, listener) == expected);
    EXPECT_EQ(listener.resumed_after, 1);
  }
}

TEST_F(TrainerResumeTest, WithNoIterationLeftAndNoneEvaluated) {
  development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  options.iterations = 3;
  const std::string expected = uninterrupted(options);
  forget();
  options.iterations = 10;
  Listener impatient(3);
  EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
  options.iterations = 3;
  Listener listener;
  EXPECT_TRUE(train_to_bytes(options, listener) == expected);
}

TEST_F(TrainerResumeTest, WithMoreIterations) {
  TrainingOptions options = toy_options(LearnerKind::perceptron, Factorization::first);
  options.iterations = 6;
  const std::string expected = uninterrupted(options);
  forget();
  options.iterations = 3;
  uninterrupted(options);
  options.iterations = 6;
  Listener listener;
  EXPECT_TRUE(train_to_bytes(options, listener) == expected);
  EXPECT_EQ(listener.resumed_after, 3);
}

// The weights of earlier iterations are gone.
TEST_F(TrainerResumeTest, RefusesFewerIterationsThanAreDone) {
  for (const LearnerKind learner : kLearners) {
    SCOPED_TRACE(name(learner));
    TrainingOptions options = toy_options(learner, Factorization::first);
    options.iterations = 6;
    Listener impatient(4);
    sentences_ = read_text(testing::ToyGrammar(1, true).treebank(24));
    EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
    options.iterations = 3;
    Listener listener;
    EXPECT_THROW(train_to_bytes(options, listener), DataError);
    options.iterations = 4;
    const std::string resumed = train_to_bytes(options, listener);
    forget();
    EXPECT_TRUE(resumed == uninterrupted(options));
    forget();
  }
}

// The last iteration is evaluated out of turn: a run with more iterations would not have looked there.
TEST_F(TrainerResumeTest, WithMoreIterationsForgetsTheEvaluationOfTheLast) {
  development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  for (int last = 1; last < 10; ++last) {
    SCOPED_TRACE(last);
    options.iterations = 10;
    const std::string expected = uninterrupted(options);
    forget();
    options.iterations = last;
    uninterrupted(options);
    options.iterations = 10;
    Listener listener;
    EXPECT_TRUE(train_to_bytes(options, listener) == expected);
    forget();
  }
}

TEST_F(TrainerResumeTest, StopsWhereAFreshRunDoes) {
  development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
  TrainingOptions options = toy_options(LearnerKind::lbfgs, Factorization::first);
  options.iterations = 200;
  options.patience_iterations = 5;
  options.l2 = 1e-6;
  const std::string expected = uninterrupted(options);
  const int last = iterations_;
  ASSERT_LT(last, 100);
  Listener at_the_end;
  EXPECT_TRUE(train_to_bytes(options, at_the_end) == expected);
  EXPECT_TRUE(at_the_end.iterations.empty());
  forget();
  for (const int stop : {1, last - 5, last - 1}) {
    SCOPED_TRACE(stop);
    Listener impatient(stop);
    EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
    Listener listener;
    EXPECT_TRUE(train_to_bytes(options, listener) == expected);
    EXPECT_EQ(listener.iterations.back().iteration, last);
    forget();
  }
}

TEST_F(TrainerResumeTest, StartsAfreshIfNotAskedToResume) {
  const TrainingOptions options = toy_options(LearnerKind::perceptron, Factorization::first);
  const std::string expected = uninterrupted(options);
  Listener listener;
  EXPECT_TRUE(train_to_bytes(options, listener, false) == expected);
  EXPECT_EQ(listener.resumed_after, 0);
}

TEST_F(TrainerResumeTest, ChoosesL2AsIfNothingHadHappened) {
  development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
  TrainingOptions options = toy_options(LearnerKind::adagrad, Factorization::first);
  options.l2_choices = {1.0, 0.1, 10.0};
  const std::string expected = uninterrupted(options);
  forget();
  Listener impatient(6);  // in the second run
  EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
  Listener listener;
  EXPECT_TRUE(train_to_bytes(options, listener) == expected);
}

// What is in the data, and what the trainer finds there; tests/training has the options.
TEST_F(TrainerResumeTest, RefusesCheckpointsOfOtherRuns) {
  // Fine tags of two letters, one for each coarse tag: under the rules `treebank` and `english` there are as
  // many features, but not the same.
  std::map<std::string, std::string> codes;
  for (Sentence& sentence : sentences_) {
    for (Token& word : sentence.words()) {
      const std::string code{'T', static_cast<char>('A' + codes.size())};
      word.set_xpos(codes.try_emplace(std::string(word.upos()), code).first->second);
    }
  }
  const TrainingOptions intact = toy_options(LearnerKind::perceptron, Factorization::sibling);
  const auto expect_refused = [&](const char* what, const std::function<void(TrainingOptions&)>& change) {
    SCOPED_TRACE(what);
    const std::vector<Sentence> sentences = sentences_;
    const std::vector<Sentence> development = development_;
    TrainingOptions options = intact;
    options.coarse = CoarseRule::treebank;
    Listener impatient(1);
    EXPECT_THROW(train_to_bytes(options, impatient), TrainingStopped);
    change(options);
    Listener listener;
    EXPECT_THROW(train_to_bytes(options, listener), DataError);
    sentences_ = sentences;
    development_ = development;
    forget();
  };
  expect_refused("a form", [&](TrainingOptions&) { sentences_[3][1].set_form("another"); });
  expect_refused("a head", [&](TrainingOptions&) { sentences_[3][1].set_head(0); });
  expect_refused("a sentence less", [&](TrainingOptions&) { sentences_.pop_back(); });
  expect_refused("another order", [&](TrainingOptions&) { std::swap(sentences_[0], sentences_[1]); });
  expect_refused("development data", [&](TrainingOptions&) { development_ = toy_sentences(3, 9); });
  expect_refused("other options", [&](TrainingOptions&) { ++fingerprint_; });
  expect_refused("features", [](TrainingOptions& o) { o.features = FeatureSet::rich; });
  expect_refused("coarse tags", [](TrainingOptions& o) { o.coarse = CoarseRule::english; });
}

TEST_F(TrainerResumeTest, RemovesCheckpointsAndNothingElse) {
  const TrainingOptions options = toy_options(LearnerKind::perceptron, Factorization::first);
  uninterrupted(options);
  EXPECT_TRUE(std::filesystem::exists(path("checkpoints")));
  // Runs that are killed while they write leave such files.
  write(path("checkpoints/l2-0.1/iteration-5.tmp-17-3"), "half");
  write(path("checkpoints/l2-0.1/best.tmp-17-4"), "half");
  remove_checkpoints(path("checkpoints"));
  EXPECT_FALSE(std::filesystem::exists(path("checkpoints")));
  EXPECT_NO_THROW(remove_checkpoints(path("checkpoints"))) << "there is nothing to remove";

  uninterrupted(options);
  const std::string folder = path("checkpoints");
  write(folder + "/notes", "mine");
  std::filesystem::create_directory(folder + "/thesis");
  write(folder + "/thesis/best", "mine");
  write(folder + "/l2-0.1/notes", "mine");
  EXPECT_NO_THROW(remove_checkpoints(folder));
  EXPECT_EQ(content(folder + "/notes"), "mine");
  EXPECT_EQ(content(folder + "/thesis/best"), "mine");
  EXPECT_EQ(content(folder + "/l2-0.1/notes"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder + "/l2-0.1/iteration-4"));
}

}  // namespace
}  // namespace copse
