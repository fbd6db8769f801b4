#include <gtest/gtest.h>

#include "sequence/toy_sequences.h"

namespace copse::testing {
namespace {

TEST(SequenceThreads, TheSameModelForAnyNumber) {
  const ToySequences training(150, 3, 10);
  const ToySequences dev(50, 4, 10);
  for (const LearnerKind learner : {LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron}) {
    SequenceTrainingOptions options = toy_options(2, learner);
    options.candidate_cutoff = 2;
    options.iterations = 20;
    std::vector<std::vector<std::byte>> models;
    for (const int threads : {1, 2, 3}) {
      TaskPool pool(threads);
      SequenceObserver observer;
      ByteWriter writer;
      train_sequence_model(training, &dev, options, pool, observer).save(writer);
      models.push_back(writer.take());
    }
    EXPECT_TRUE(models[0] == models[1]) << name(learner);
    EXPECT_TRUE(models[0] == models[2]) << name(learner);
  }
}

}  // namespace
}  // namespace copse::testing
