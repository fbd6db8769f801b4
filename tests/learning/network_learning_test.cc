// Learning a network: it learns, it stops when there is nothing to go by any more.
#include "learning/network_learner.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "learning/describe_network.h"
#include "learning/preparation.h"
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
    learning_.passes = 6;
    learning_.batch_words = 60;
    learning_.rate = 0.01F;
  }

  std::vector<Sentence> sentences_ = read_text(testing::toy_treebank(60, 1));
  std::vector<TrainingSentence> training_;
  NetworkDescription network_;
  std::vector<NetworkExample> examples_;
  NetworkLossOptions loss_;
  NetworkLearnerOptions learning_;
};

TEST_F(NetworkLearning, TheLossFalls) {
  TaskPool pool(1);
  NetworkLearner learner(network_, examples_, loss_, learning_, pool);
  learner.iterate();
  const double first = learner.progress().objective;
  for (int pass = 1; pass < learning_.passes; ++pass) learner.iterate();
  EXPECT_LT(learner.progress().objective, 0.5 * first);
}

TEST_F(NetworkLearning, ALossThatIsNoNumberStopsIt) {
  TaskPool pool(1);
  learning_.rate = 1e30F;
  NetworkLearner learner(network_, examples_, loss_, learning_, pool);
  try {
    for (int pass = 0; pass < learning_.passes; ++pass) learner.iterate();
    FAIL() << "weights of 1e30 give no sensible loss";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("no longer a number"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace copse
