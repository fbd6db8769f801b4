#include "labelling/labeller.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller_trainer.h"

namespace copse::testing {
namespace {

LabellerModel train(int threads = 1) {
  TaskPool pool(threads);
  SequenceObserver observer;
  return train_labeller(read_text(labelled_toys(80, 1)), {}, {}, pool, observer);
}

std::vector<std::string> labels_of(const LabellerModel& model, const Sentence& sentence,
                                   std::vector<double>* probabilities = nullptr) {
  std::vector<std::string> labels;
  Labeller(model).label(sentence, sentence.heads(), labels, probabilities);
  return labels;
}

std::vector<std::string> gold_labels(const Sentence& sentence) {
  std::vector<std::string> labels = {"_"};
  for (const Token& word : sentence.words()) labels.emplace_back(word.deprel());
  return labels;
}

TEST(LabellerModel, LearnsLabelsThatDependOnSiblings) {
  const LabellerModel labeller = train();
  for (const Sentence& gold : read_text(labelled_toys(50, 2))) {
    EXPECT_EQ(labels_of(labeller, gold), gold_labels(gold));
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
    std::vector<double> probabilities;
    std::vector<double> same;
    EXPECT_EQ(labels_of(labeller, gold, &probabilities), labels_of(again, gold, &same));
    EXPECT_EQ(probabilities, same);
  }
}

TEST(LabellerModel, WordsWithoutHeadsGetNoLabel) {
  Sentence sentence = read_text(labelled_toys(1, 4)).front();
  sentence[1].set_head(kNoHead);
  const std::vector<std::string> labels = labels_of(train(), sentence);
  EXPECT_EQ(labels[1], "_");
  EXPECT_EQ(labels[2], "nsubj");
}

TEST(LabellerModel, ProbabilitiesAreThoseOfTheLabels) {
  const Sentence sentence = read_text(labelled_toys(1, 5)).front();
  std::vector<double> probabilities;
  labels_of(train(), sentence, &probabilities);
  ASSERT_EQ(probabilities.size(), static_cast<std::size_t>(sentence.size()) + 1);
  for (std::size_t word = 1; word < probabilities.size(); ++word) {
    EXPECT_GT(probabilities[word], 0.3);
    EXPECT_LE(probabilities[word], 1.0);
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
  const std::vector<std::string> labels = labels_of(train(), sentence);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "_"), 1);  // of the root
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
