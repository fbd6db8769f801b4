#include "tagging/tagger.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "inference/test_settings.h"
#include "io/temporary_folder.h"
#include "tagging/tagged_toys.h"
#include "tagging/tagger_layer.h"
#include "tagging/treebank_tagger.h"

namespace copse::testing {
namespace {

class TaggerFile : public TemporaryFolderTest {
 protected:
  std::string saved(const TaggerModel& tagger, const std::string& name) const {
    tagger.save(path(name));
    return content(path(name));
  }
};

TEST(TaggerModel, LearnsTheToyLanguageWithUnknownWords) {
  TaskPool pool(1);
  const TaggerModel tagger = toy_tagger(pool);
  EXPECT_EQ(tagger.attributes(),
            std::vector<TagAttribute>(std::begin(kTagAttributes), std::end(kTagAttributes)));
  Tagger workspace(tagger);
  for (const Sentence& gold : read_text(tagged_toys(50, 2))) {
    Sentence sentence = without_tags(gold);
    workspace.tag(sentence);
    EXPECT_EQ(sentence, gold);
  }
  Sentence sentence = read_text(
      "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\twugs\t_\t_\t_\t_\t_\t_\t_\t_\n3\tblicked\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "4\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n5\twalks\t_\t_\t_\t_\t_\t_\t_\t_\n6\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
      [0];
  workspace.tag(sentence);
  EXPECT_EQ(sentence[2].xpos(), "NNS");
  EXPECT_EQ(sentence[2].lemma(), "wug");
  EXPECT_EQ(sentence[3].feats(), "Tense=Past");
  EXPECT_EQ(sentence[3].lemma(), "blick");
  EXPECT_EQ(sentence[5].upos(), "NOUN");
}

// Lemmas that have nothing in common with forms are labels of their own; each word could have each of them.
TEST(TaggerModel, ThousandsOfLabelsAreNotThousandsOfCandidates) {
  struct Observer : TaggerObserver {
    void on_stage(std::string_view what) override { stages.emplace_back(what); }
    void on_candidates(const CandidateReport& report) override { most = std::max(most, report.per_position); }
    std::vector<std::string> stages;
    double most = 0.0;
  } observer;
  std::string text;
  constexpr int kWords = kManySequenceLabels + 200;
  const auto in_letters = [](int number, char first) {
    std::string letters;
    for (; number > 0; number /= 10) letters += static_cast<char>(first + number % 10);
    return letters;
  };
  for (int k = 1; k <= kWords; ++k) {
    text +=
        "1\t" + in_letters(1000 + k, 'a') + "\t" + in_letters(1000 + k, 'n') + "\tNOUN\t_\t_\t_\t_\t_\t_\n\n";
  }
  TaskPool pool(2);
  TaggerTrainingOptions options;
  options.attributes = {TagAttribute::upos, TagAttribute::lemma};
  options.iterations = 1;
  train_tagger(read_text(text), {}, options, pool, observer);
  EXPECT_EQ(observer.stages.back(), "learning LEMMA: " + std::to_string(kWords) + " labels");
  EXPECT_GT(observer.most, 150.0);
  EXPECT_LE(observer.most, 201.0);  // the gold label is always one
}

TEST(TaggerModel, KeepsEverythingElse) {
  TaskPool pool(1);
  Tagger workspace(toy_tagger(pool));
  const std::string input =
      "# text = x\n1-2\tthedog\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "1\tthe\tx\tX\tX\tA=b\t2\tdet\t2:det\tGloss=a\n2\tdog\tx\tX\tX\tA=b\t0\troot\t0:root\t_\n"
      "2.1\tnothing\t_\t_\t_\t_\t_\t_\t0:x\t_\n\n";
  Sentence sentence = read_text(input)[0];
  workspace.tag(sentence);
  EXPECT_EQ(write_text({sentence}),
            "# text = x\n1-2\tthedog\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "1\tthe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t2:det\tGloss=a\n"
            "2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t0:root\t_\n"
            "2.1\tnothing\t_\t_\t_\t_\t_\t_\t0:x\t_\n\n");
  Sentence empty;
  workspace.tag(empty);
  EXPECT_TRUE(empty.empty());
}

TEST(TaggerModel, ProbabilitiesAreThoseOfTheValues) {
  TaskPool pool(1);
  Tagger workspace(toy_tagger(pool), {.probabilities = true});
  Sentence sentence = read_text(tagged_toys(1, 9))[0];
  workspace.tag(sentence);
  for (const Token& word : sentence.words()) {
    for (const char* key : {"PUPOS=", "PXPOS=", "PFEATS=", "PLEMMA="}) {
      const std::size_t place = word.misc().find(key);
      ASSERT_NE(place, std::string_view::npos) << word.misc();
      const double probability = std::stod(std::string(word.misc().substr(place + std::string(key).size())));
      EXPECT_GT(probability, 0.5);
      EXPECT_LE(probability, 1.0);
    }
  }
  // Tagging again without them leaves none behind.
  Tagger(toy_tagger(pool)).tag(sentence);
  for (const Token& word : sentence.words()) EXPECT_EQ(word.misc(), "_");
}

TEST(TaggerModel, GivenTagsStayAndMissingOnesAreFilledIn) {
  TaskPool pool(1);
  Tagger workspace(toy_tagger(pool));
  const Sentence gold = read_text(tagged_toys(1, 9))[0];
  Sentence all = without_tags(gold);
  workspace.tag(all);
  Sentence some = without_tags(gold);
  some[1].set_xpos("STRANGE");
  workspace.tag_missing(some);
  EXPECT_EQ(some[1].xpos(), "STRANGE");
  for (int k = 2; k <= gold.size(); ++k) EXPECT_EQ(some[k].upos(), all[k].upos());
  EXPECT_NE(some[1].upos(), "_");
  Sentence complete = gold;
  for (Token& word : complete.words()) word.set_lemma("_");
  const Sentence before = complete;
  workspace.tag_missing(complete);
  EXPECT_EQ(complete, before);
}

TEST(TaggerModel, ChosenAttributesAndOptionsThatMatter) {
  TaskPool pool(1);
  TaggerTrainingOptions options;
  options.attributes = {TagAttribute::xpos};
  for (const int order : {1, 2}) {
    for (const LearnerKind learner : {LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron}) {
      options.order = order;
      options.learner = learner;
      const TaggerModel tagger = toy_tagger(pool, options);
      EXPECT_EQ(tagger.attributes(), options.attributes);
      Tagger workspace(tagger);
      const Sentence gold = read_text(tagged_toys(1, 5))[0];
      Sentence sentence = without_tags(gold);
      workspace.tag(sentence);
      for (int k = 1; k <= gold.size(); ++k) {
        EXPECT_EQ(sentence[k].xpos(), gold[k].xpos());
        EXPECT_EQ(sentence[k].lemma(), "_");
      }
    }
  }
}

TEST(TaggerModel, ColumnsWithoutValuesAreNotLearnt) {
  TaskPool pool(1);
  TaggerObserver observer;
  std::vector<Sentence> sentences = read_text(tagged_toys(40, 1));
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_feats("_");
  }
  const TaggerModel tagger = train_tagger(sentences, {}, {}, pool, observer);
  EXPECT_EQ(tagger.attributes(),
            (std::vector<TagAttribute>{TagAttribute::upos, TagAttribute::xpos, TagAttribute::lemma}));
  TaggerTrainingOptions options;
  options.attributes = {TagAttribute::feats};
  EXPECT_THROW(train_tagger(sentences, {}, options, pool, observer), DataError);
  EXPECT_THROW(train_tagger({}, {}, {}, pool, observer), DataError);
  for (Sentence& sentence : sentences) sentence = without_tags(sentence);
  EXPECT_THROW(train_tagger(sentences, {}, {}, pool, observer), DataError);
}

TEST_F(TaggerFile, IsTheSameAfterLoading) {
  TaskPool pool(1);
  const std::string file = saved(toy_tagger(pool, {}, 80), "tagger");
  EXPECT_TRUE(saved(TaggerModel::load(path("tagger")), "again") == file);
}

TEST_F(TaggerFile, LivesBesideOtherSections) {
  TaskPool pool(1);
  TaggerTrainingOptions options;
  options.attributes = {TagAttribute::upos};
  TaggerModel tagger = toy_tagger(pool, options, 40);
  tagger.add_fact("key", "value");
  {
    SectionFileWriter file(path("model"));
    file.add("segmenter/something", std::string_view("else"));
    tagger.add_to(file);
    file.close();
  }
  EXPECT_EQ(TaggerModel::load(path("model")).facts(), tagger.facts());
  EXPECT_EQ(tagger.facts().back(), (std::pair<std::string, std::string>("key", "value")));
  {
    SectionFileWriter file(path("other"));
    file.add("parser/something", std::string_view("else"));
    file.close();
  }
  EXPECT_FALSE(TaggerModel::is_in(SectionFile::open(path("other"))));
  EXPECT_THROW(TaggerModel::load(path("other")), DataError);
}

// Sections with right checksums but damaged content.
TEST_F(TaggerFile, DamagedSectionsAreRefusedOrHarmless) {
  TaskPool pool(1);
  toy_tagger(pool, {}, 30).save(path("model"));
  const SectionFile good = SectionFile::open(path("model"));
  int refused = 0;
  for (int number = 0; number < scaled(300); ++number) {
    SCOPED_TRACE(case_name(number));
    auto random = case_generator(number);
    {
      SectionFileWriter file(path("damaged"));
      for (const std::string_view name : good.names()) {
        const auto section = good.section(name);
        std::vector<std::byte> bytes(section.begin(), section.end());
        if (random() % 2 == 0 && !bytes.empty())
          bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
        file.add(name, std::move(bytes));
      }
      file.close();
    }
    try {
      Tagger workspace(TaggerModel::load(path("damaged")));
      Sentence sentence = read_text(tagged_toys(1, 3))[0];
      workspace.tag(sentence);
      write_text({sentence});
    } catch (const DataError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(TaggingEvaluator, CountsAllAndUnknownWords) {
  const std::vector<Sentence> training = read_text("1\ta\ta\tX\tY\t_\t_\t_\t_\t_\n\n");
  const Sentence gold = read_text("1\ta\ta\tX\tY\t_\t_\t_\t_\t_\n2\tb\tb\tX\tY\t_\t_\t_\t_\t_\n\n")[0];
  Sentence tagged = gold;
  tagged[2].set_upos("Z");
  TaggingEvaluator evaluator(training);
  evaluator.add(gold, tagged);
  EXPECT_EQ(evaluator.score(TagAttribute::upos).accuracy(), 0.5);
  EXPECT_EQ(evaluator.score(TagAttribute::upos).unknown_accuracy(), 0.0);
  EXPECT_EQ(evaluator.score(TagAttribute::xpos).accuracy(), 1.0);
  EXPECT_EQ(evaluator.score(TagAttribute::xpos).unknown_words, 1);
}

}  // namespace
}  // namespace copse::testing
