#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller.h"
#include "labelling/labeller_trainer.h"

namespace copse::testing {
namespace {

class LabellerThreads : public TemporaryFolderTest {
 protected:
  LabellerModel trained(int threads) const {
    TaskPool pool(threads);
    SequenceObserver observer;
    return train_labeller(read_text(labelled_toys(80, 1)), {}, {}, pool, observer);
  }
};

TEST_F(LabellerThreads, TheSameFileForAnyNumber) {
  for (const int threads : {1, 3}) {
    SectionFileWriter file(path(std::to_string(threads)));
    trained(threads).add_to(file);
    file.close();
  }
  EXPECT_TRUE(content(path("1")) == content(path("3")));
}

TEST_F(LabellerThreads, WorkspacesShareAModel) {
  const LabellerModel model = trained(1);
  const std::vector<Sentence> sentences = read_text(labelled_toys(60, 2));
  TaskPool pool(3);
  std::vector<Labeller> labellers;
  for (int thread = 0; thread < pool.threads(); ++thread) labellers.emplace_back(model);
  std::vector<std::vector<std::string>> labels(sentences.size());
  pool.for_each(sentences.size(), [&](std::size_t k, int worker) {
    labellers[static_cast<std::size_t>(worker)].label(sentences[k], sentences[k].heads(), labels[k]);
  });
  Labeller alone(model);
  std::vector<std::string> expected;
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    alone.label(sentences[k], sentences[k].heads(), expected);
    EXPECT_EQ(labels[k], expected);
  }
}

}  // namespace
}  // namespace copse::testing
