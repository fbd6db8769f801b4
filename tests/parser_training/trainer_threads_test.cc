// The same data, options and seed give the same file, byte by byte, whatever the number of threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/temporary_folder.h"
#include "parser_training/toy_training.h"

namespace copse {
namespace {

using testing::kLearners;
using testing::Listener;
using testing::toy_options;

class TrainerThreadsTest : public TemporaryFolderTest {
 protected:
  std::string bytes_with(int threads, const TrainingOptions& options) const {
    TaskPool pool(threads);
    Listener nobody;
    train(sentences_, development_, options, {}, pool, nobody).save(path("model"));
    return content(path("model"));
  }

  // Enough that every training sentence is pruned by a model that has not seen it.
  std::vector<Sentence> sentences_ = read_text(testing::ToyGrammar(1, true).treebank(40));
  std::vector<Sentence> development_ = read_text(testing::ToyGrammar(2, true).treebank(10));
};

TEST_F(TrainerThreadsTest, GiveTheSameFile) {
  for (const LearnerKind learner : kLearners) {
    for (const Factorization factorization : {Factorization::grandsibling, Factorization::first}) {
      SCOPED_TRACE(std::string(name(learner)) + ", " + std::string(name(factorization)));
      TrainingOptions options = toy_options(learner, factorization);
      options.iterations = learner == LearnerKind::lbfgs ? 6 : 2;
      options.candidate_features = factorization == Factorization::first;
      const std::string expected = bytes_with(1, options);
      EXPECT_TRUE(bytes_with(2, options) == expected);
      EXPECT_TRUE(bytes_with(3, options) == expected);
    }
  }
}

}  // namespace
}  // namespace copse
