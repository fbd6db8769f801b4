// Learning a network: it learns, it stops when there is nothing to go by any more.
#include "parser_training/network_learner.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "parser_training/describe_network.h"
#include "parser_training/preparation.h"
#include "parser_training/tree_steps.h"
#include "parser_training/treebank_schedule.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

class NetworkLearning : public ::testing::Test {
 protected:
  NetworkLearning() {
    TrainingOptions options;
    options.root = RootMode::single;
    PreparationReport report;
    training_ = prepare_training_set(sentences_, options, report);
    NetworkShape shape;
    shape.word_size = shape.spelling_size = shape.hidden = shape.arc_size = shape.rank = 16;
    shape.layers = 1;
    shape.label_size = 8;
    shape.tag_hidden = 16;
    network_ = describe_network(training_, shape, {});
    for (const TrainingSentence& sentence : training_) {
      examples_.push_back(make_network_example(sentence, network_));
    }
    loss_.trees = RootMode::single;
    batches_.passes = 6;
    batches_.batch_words = 60;
    batches_.rate = 0.01F;
  }

  std::unique_ptr<NetworkSteps> make_steps(const NetworkStepsOptions& options, TaskPool& pool) const {
    return make_tree_steps(Device::cpu, network_, examples_, loss_, initial_weights(network_.shape, 1),
                           options, pool);
  }
  TreebankSchedule make_schedule() const {
    std::vector<std::size_t> words;
    for (const Sentence& sentence : sentences_) words.push_back(static_cast<std::size_t>(sentence.size()));
    return {std::move(words), batches_};
  }

  std::vector<Sentence> sentences_ = read_text(testing::toy_treebank(60, 1));
  std::vector<TrainingSentence> training_;
  NetworkDescription network_;
  std::vector<NetworkExample> examples_;
  NetworkLossOptions loss_;
  TreebankScheduleOptions batches_;
};

TEST_F(NetworkLearning, TheLossFalls) {
  TaskPool pool(1);
  TreebankSchedule schedule = make_schedule();
  NetworkLearner learner(schedule, {}, make_steps({}, pool));
  learner.iterate();
  const double first = learner.progress().objective;
  for (int pass = 1; pass < batches_.passes; ++pass) learner.iterate();
  EXPECT_LT(learner.progress().objective, 0.5 * first);
}

TEST_F(NetworkLearning, ALossThatIsNoNumberStopsIt) {
  TaskPool pool(1);
  batches_.rate = 1e30F;
  TreebankSchedule schedule = make_schedule();
  NetworkLearner learner(schedule, {}, make_steps({}, pool));
  try {
    for (int pass = 0; pass < batches_.passes; ++pass) learner.iterate();
    FAIL() << "weights of 1e30 give no sensible loss";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("no longer a number"), std::string::npos) << error.what();
  }
}

TEST_F(NetworkLearning, RangesOfWeightsHaveRatesOfTheirOwn) {
  TaskPool pool(1);
  const NetworkBlocks blocks(network_.shape);
  // One within the dense weights, one that begins and ends amid rows of a table.
  const std::vector<RateRange> ranges = {{blocks.word_table.offset + 24, blocks.word_table.offset + 40, 0.0F},
                                         {blocks.layers[0].input.offset, blocks.layers[0].bias.offset, 0.5F}};
  const auto factor = [&](std::size_t weight) {
    for (const RateRange& range : ranges) {
      if (weight >= range.begin && weight < range.end) return range.factor;
    }
    return 1.0F;
  };
  const std::vector<std::vector<std::size_t>> parts = {{0, 1, 2, 3, 4, 5}};
  NetworkStep step;
  step.parts = parts;
  step.adam.set_time(1);
  const auto plain = make_steps({}, pool);
  const auto ranged = make_steps({.rates = ranges}, pool);
  plain->step(step);
  ranged->step(step);
  const std::vector<float> before = initial_weights(network_.shape, 1);
  std::size_t moved = 0;
  std::size_t stayed = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    const float change = plain->state().weights[k] - before[k];
    const float own = ranged->state().weights[k] - before[k];
    ASSERT_NEAR(own, factor(k) * change, 1e-6F) << k;
    moved += change != 0.0F && factor(k) == 0.5F ? 1 : 0;
    stayed += change != 0.0F && factor(k) == 0.0F ? 1 : 0;
  }
  EXPECT_GT(moved, 0U);
  EXPECT_GT(stayed, 0U);
}

TEST_F(NetworkLearning, AStepWithoutAFiniteLossChangesNothing) {
  TaskPool pool(1);
  const auto steps = make_steps({}, pool);
  NetworkState state = begin_state(std::vector<float>(initial_weights(network_.shape, 1).size(), 1e30F));
  const std::vector<float> before = state.weights;
  steps->restore(std::move(state));
  const std::vector<std::vector<std::size_t>> parts = {{0, 1}};
  NetworkStep step;
  step.parts = parts;
  step.adam.set_time(1);
  EXPECT_FALSE(std::isfinite(steps->step(step).loss));
  EXPECT_EQ(steps->state().weights, before);
}

TEST_F(NetworkLearning, ADeviceThatIsNotThereIsRefused) {
  if (is_available(Device::cuda)) GTEST_SKIP() << "there is a GPU";
  TaskPool pool(1);
  EXPECT_THROW(make_tree_steps(Device::cuda, network_, examples_, loss_, {}, {}, pool), DataError);
}

}  // namespace
}  // namespace copse
