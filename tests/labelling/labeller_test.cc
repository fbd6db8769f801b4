#include "labelling/labeller.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller_trainer.h"
#include "treebank/head_probability.h"

namespace copse::testing {
namespace {

LabellerModel train(int threads = 1) {
  TaskPool pool(threads);
  SequenceObserver observer;
  return train_labeller(read_text(labelled_toys(80, 1)), {}, {}, pool, observer);
}

std::string labelled(const LabellerModel& labeller, Sentence sentence, bool probabilities = false) {
  for (Token& word : sentence.words()) word.set_deprel("_");
  Labeller(labeller, {probabilities}).label(sentence);
  return write_text({sentence});
}

TEST(LabellerModel, LearnsLabelsThatDependOnSiblings) {
  const LabellerModel labeller = train();
  for (const Sentence& gold : read_text(labelled_toys(50, 2))) {
    EXPECT_EQ(labelled(labeller, gold), write_text({gold}));
  }
}

class LabellerFile : public TemporaryFolderTest {};

TEST_F(LabellerFile, TheSameForAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    SectionFileWriter file(path(std::to_string(threads)));
    train(threads).add_to(file);
    file.close();
  }
  EXPECT_TRUE(content(path("1")) == content(path("3")));
}

TEST_F(LabellerFile, ComesBackFromItsFile) {
  const LabellerModel labeller = train();
  {
    SectionFileWriter file(path("model"));
    labeller.add_to(file);
    file.close();
  }
  const SectionFile file = SectionFile::open(path("model"));
  ASSERT_TRUE(LabellerModel::is_in(file));
  const LabellerModel again = LabellerModel::from_file(file);
  EXPECT_EQ(again.labels(), labeller.labels());
  for (const Sentence& gold : read_text(labelled_toys(20, 3))) {
    EXPECT_EQ(labelled(labeller, gold, true), labelled(again, gold, true));
  }
}

TEST(LabellerModel, WordsWithoutHeadsAreLeftAlone) {
  Sentence sentence = read_text(labelled_toys(1, 4)).front();
  sentence[1].set_head(kNoHead);
  sentence[1].set_deprel("mine");
  Labeller(train()).label(sentence);
  EXPECT_EQ(sentence[1].deprel(), "mine");
  EXPECT_EQ(sentence[2].deprel(), "nsubj");
}

TEST(LabellerModel, ProbabilitiesAreWritten) {
  Sentence sentence = read_text(labelled_toys(1, 5)).front();
  Labeller(train(), {true}).label(sentence);
  for (const Token& word : sentence.words()) {
    const std::optional<double> probability = label_probability(word);
    ASSERT_TRUE(probability);
    EXPECT_GT(*probability, 0.3);
    EXPECT_LE(*probability, 1.0);
  }
}

// One head with many modifiers, and one with many of them before it: no step takes the square of their
// number.
TEST(LabellerModel, ThousandsOfModifiers) {
  Sentence sentence;
  for (int word = 1; word <= 5000; ++word) {
    Token token;
    token.set_form("w" + std::to_string(word % 7));
    token.set_head(word == 2500 ? 0 : 2500);
    sentence.add_word(token);
  }
  Labeller(train()).label(sentence);
  for (const Token& word : sentence.words()) EXPECT_NE(word.deprel(), "_");
}

TEST(LabellerModel, NothingToLearnFromIsAnError) {
  std::vector<Sentence> sentences = read_text(labelled_toys(3, 1));
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_deprel("_");
  }
  TaskPool pool(1);
  SequenceObserver observer;
  EXPECT_THROW(train_labeller(sentences, {}, {}, pool, observer), DataError);
}

}  // namespace
}  // namespace copse::testing
