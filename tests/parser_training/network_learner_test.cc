// The same data, options and seed give the same network, byte by byte, whatever the number of threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/temporary_folder.h"
#include "parser_training/network_trainer.h"
#include "parser_training/toy_training.h"

namespace copse {
namespace {

class NetworkLearnerTest : public TemporaryFolderTest {
 protected:
  std::string bytes_with(int threads, Precision precision) const {
    TrainingOptions options = testing::toy_options(LearnerKind::lbfgs, Factorization::grandsibling);
    options.iterations = 2;
    NetworkOptions network;
    network.shape.hidden = 48;
    network.shape.arc_size = 40;
    network.shape.label_size = 20;
    network.shape.rank = 16;
    network.batch_words = 100;  // several steps
    network.precision = precision;
    TaskPool pool(threads);
    testing::Listener nobody;
    train_network(sentences_, development_, options, network, {}, pool, nobody).save(path("model"));
    return content(path("model"));
  }

  std::vector<Sentence> sentences_ = read_text(testing::ToyGrammar(1, true).treebank(40));
  std::vector<Sentence> development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
};

TEST_F(NetworkLearnerTest, GivesTheSameFileWithAnyNumberOfThreads) {
  const std::string expected = bytes_with(1, Precision::float32);
  EXPECT_TRUE(bytes_with(3, Precision::float32) == expected);
}

TEST_F(NetworkLearnerTest, GivesTheSameFileWithAnyNumberOfThreadsInBfloat16) {
  if (!has_bfloat16()) GTEST_SKIP() << "no bfloat16 on this processor";
  const std::string expected = bytes_with(1, Precision::bfloat16);
  EXPECT_TRUE(bytes_with(1, Precision::bfloat16) == expected);
  EXPECT_TRUE(bytes_with(3, Precision::bfloat16) == expected);
  EXPECT_FALSE(bytes_with(1, Precision::float32) == expected);  // the option has an effect
}

}  // namespace
}  // namespace copse
