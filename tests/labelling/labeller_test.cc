#include "labelling/labeller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller_trainer.h"

namespace copse::testing {
namespace {

LabellerModel train() {
  TaskPool pool(1);
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

// A noun under the verb whose label follows from its case alone; all else that FEATS says is there to
// mislead.
std::vector<Sentence> sentences_with_cases(int begin, int end) {
  std::vector<Sentence> sentences;
  for (int k = begin; k < end; ++k) {
    const bool is_subject = k % 2 == 0;
    Token verb;
    verb.set_form("v");
    verb.set_upos("VERB");
    verb.set_head(0);
    verb.set_deprel("root");
    Token noun;
    noun.set_form("n");
    noun.set_upos("NOUN");
    noun.set_feats(std::string("Case=") + (is_subject ? "Nom" : "Acc") +
                   "|Some=" + std::to_string(k / 2 % 13) + "|Thing=" + std::to_string(k / 2 / 13));
    noun.set_head(1);
    noun.set_deprel(is_subject ? "nsubj" : "obj");
    sentences.emplace_back();
    sentences.back().add_word(verb);
    sentences.back().add_word(noun);
  }
  return sentences;
}

TEST_F(LabellerFile, ReadsFeatsFeatureByFeatureWhereTheTreebankIsRich) {
  TaskPool pool(1);
  SequenceObserver observer;
  const LabellerModel labeller = train_labeller(sentences_with_cases(0, 300), {}, {}, pool, observer);
  EXPECT_TRUE(labeller.reads_single_feats());
  EXPECT_FALSE(train().reads_single_feats());
  {
    SectionFileWriter file(path("model"));
    labeller.add_to(file);
    file.close();
  }
  const LabellerModel again = LabellerModel::from_file(SectionFile::open(path("model")));
  EXPECT_TRUE(again.reads_single_feats());
  for (const Sentence& gold : sentences_with_cases(300, 340)) {  // FEATS that were never seen as a whole
    EXPECT_EQ(labels_of(again, gold), gold_labels(gold));
  }
}

TEST(LabellerModel, WordsWithoutHeadsGetNoLabel) {
  Sentence sentence = read_text(labelled_toys(1, 4)).front();
  sentence[1].set_head(kNoHead);
  const std::vector<std::string> labels = labels_of(train(), sentence);
  EXPECT_EQ(labels[1], "_");
  EXPECT_EQ(labels[2], "nsubj");
}

// A model that likes one label best, on whatever arc.
LabellerModel fond_of(const std::string& label, const std::vector<std::string>& names,
                      const RootLabels& root) {
  SequenceModel model;
  model.labels = static_cast<int>(names.size());
  std::vector<TransitionWeights::Entry> transitions;
  for (std::size_t k = 0; k < names.size(); ++k) {
    model.candidates.others.push_back(static_cast<Label>(k));
    const float weight = names[k] == label ? 9.0F : static_cast<float>(k);
    transitions.push_back({TransitionWeights::kNoLabel, kBoundaryLabel, static_cast<Label>(k), weight});
  }
  model.transitions = TransitionWeights(transitions, 1.0);
  return {names, root, std::move(model)};
}

std::string labels_of_three(const LabellerModel& labeller) {
  const Sentence sentence = read_text(
                                "1\ta\t_\tX\t_\t_\t2\t_\t_\t_\n2\tb\t_\tX\t_\t_\t3\t_\t_\t_\n"
                                "3\tc\t_\tX\t_\t_\t0\t_\t_\t_\n")
                                .front();
  const std::vector<std::string> labels = labels_of(labeller, sentence);
  return labels[1] + " " + labels[2] + " " + labels[3];
}

TEST(LabellerModel, RootLabelsBelongToTheRoot) {
  const std::vector<std::string> names = {"root", "dep", "nsubj"};
  const RootLabels by_name = RootLabels::by_name(names);
  EXPECT_EQ(labels_of_three(fond_of("root", names, by_name)), "nsubj nsubj root");
  EXPECT_EQ(labels_of_three(fond_of("dep", names, by_name)), "dep dep root");
  // A treebank in which sentences hang on the root as Pred or as dep.
  const std::vector<std::string> others = {"Pred", "dep", "Sb"};
  RootLabels seen(3);
  for (const auto label : {Label{0}, Label{1}}) seen.count(label, ArcPlace::at_root);
  for (const auto label : {Label{1}, Label{2}}) seen.count(label, ArcPlace::inside);
  EXPECT_EQ(labels_of_three(fond_of("Pred", others, seen)), "Sb Sb Pred");
  EXPECT_EQ(labels_of_three(fond_of("dep", others, seen)), "dep dep dep");
  EXPECT_EQ(labels_of_three(fond_of("Sb", others, seen)), "Sb Sb dep");
}

TEST_F(LabellerFile, KeepsWhatRootArcsAreCalled) {
  // In these trees the root arc is called top, and root is a label like any other.
  std::string text = labelled_toys(80, 1);
  const auto replace = [&text](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, from.size(), to);
    }
  };
  replace("\troot\t", "\ttop\t");
  replace("\tpunct\t", "\troot\t");
  TaskPool pool(1);
  SequenceObserver observer;
  {
    SectionFileWriter file(path("model"));
    train_labeller(read_text(text), {}, {}, pool, observer).add_to(file);
    file.close();
  }
  const LabellerModel again = LabellerModel::from_file(SectionFile::open(path("model")));
  const auto number = [&](std::string_view label) {
    return static_cast<Label>(std::find(again.labels().begin(), again.labels().end(), label) -
                              again.labels().begin());
  };
  EXPECT_TRUE(again.root().allows(number("top"), ArcPlace::at_root));
  EXPECT_FALSE(again.root().allows(number("top"), ArcPlace::inside));
  EXPECT_FALSE(again.root().allows(number("root"), ArcPlace::at_root));
  EXPECT_TRUE(again.root().allows(number("root"), ArcPlace::inside));
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LabellerModel, HeadsThatDoNotExistAreErrors) {
  const LabellerModel labeller = train();
  for (const int head : {100, 9}) {
    Sentence sentence = read_text(labelled_toys(1, 4)).front();
    const std::string words = std::to_string(sentence.size());
    sentence[2].set_head(head);
    const std::string message = "word 2 cannot have the head " + std::to_string(head) + ": there are " +
                                words + " words; mend the tree";
    EXPECT_EQ(message_of([&] { labels_of(labeller, sentence); }), message);
    TaskPool pool(1);
    SequenceObserver observer;
    EXPECT_EQ(message_of([&] { train_labeller(std::vector{sentence}, {}, {}, pool, observer); }),
              "sentence 'toy-1': " + message);
  }
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

// Labels that name the word, too: what training keeps must not grow with the square of their number.
TEST(LabellerModel, HundredsOfLabelsAreChosenFromAFew) {
  std::vector<Sentence> sentences = read_text(labelled_toys(800, 1));
  int number = 0;
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) {
      if (word.deprel() != "obj") continue;
      // A few frequent ones, and many that come once or twice.
      const std::string lemma = std::to_string(number % 3 == 0 ? 10 + number % 250 : number % 10);
      ++number;
      word.set_lemma("object" + lemma);
      word.set_deprel("obj:" + lemma);
    }
  }
  struct Listener : SequenceObserver {
    void on_candidates(const CandidateReport& seen) override { report = seen; }
    CandidateReport report;
  } listener;
  TaskPool pool(1);
  const LabellerModel model = train_labeller(sentences, {}, {}, pool, listener);
  EXPECT_GT(model.labels().size(), 250U);
  EXPECT_LT(listener.report.per_position, 25.0);
  int right = 0;
  int words = 0;
  for (const Sentence& sentence : sentences) {
    const std::vector<std::string> labels = labels_of(model, sentence);
    for (int word = 1; word <= sentence.size(); ++word) {
      ++words;
      right += labels[static_cast<std::size_t>(word)] == sentence[word].deprel() ? 1 : 0;
    }
  }
  EXPECT_GT(right, words * 94 / 100);
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
