#include "pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "copse/inference/tree_distribution.h"
#include "io/temporary_folder.h"
#include "labelling/labeller_trainer.h"
#include "parsing/toy_model.h"
#include "pipeline/predicted_tags.h"
#include "tagging/tagger_trainer.h"
#include "treebank/head_probability.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

const Model& toy_pipeline() {
  static const Model pipeline = [] {
    const std::vector<Sentence> sentences = read_text(toy_treebank(80, 1));
    TaskPool pool(1);
    TaggerObserver nobody;
    Model all{toy_model(Factorization::grandsibling, RootMode::single, 1e-3)};
    all.tagger = train_tagger(sentences, {}, {}, pool, nobody);
    all.labeller = train_labeller(sentences, {}, {}, pool, nobody);
    return all;
  }();
  return pipeline;
}

Sentence parsed(const Sentence& sentence, const PipelineOptions& settings = {}) {
  ParsedSentence result;
  Pipeline(toy_pipeline(), settings).parse(sentence, result);
  return result.trees.front();
}

Sentence bare(Sentence sentence) {
  for (Token& word : sentence.words()) {
    word.set_upos("_");
    word.set_xpos("_");
    word.set_head(kNoHead);
    word.set_deprel("_");
  }
  return sentence;
}

TEST(Model, WordsBecomeLabelledTrees) {
  int right = 0;
  int words = 0;
  for (const Sentence& gold : read_text(toy_treebank(40, 2))) {
    const Sentence tree = parsed(bare(gold));
    for (int word = 1; word <= gold.size(); ++word) {
      ++words;
      right += tree[word] == gold[word] ? 1 : 0;  // all columns: tags, head, label
    }
  }
  EXPECT_GT(right, words * 95 / 100);
}

TEST(Model, TagsOfTheInputAreUsedUnlessAskedOtherwise) {
  Sentence sentence = read_text(toy_treebank(1, 3)).front();
  sentence[1].set_xpos("STRANGE");
  EXPECT_EQ(parsed(sentence)[1].xpos(), "STRANGE");
  PipelineOptions settings;
  settings.tags = TagUse::always;
  EXPECT_NE(parsed(sentence, settings)[1].xpos(), "STRANGE");
  settings.tags = TagUse::never;
  EXPECT_EQ(parsed(bare(sentence), settings)[1].xpos(), "_");
}

TEST(Model, GivenHeadsAndLabelsAreKept) {
  std::mt19937 random(7);
  PipelineOptions settings;
  settings.parse.keep_heads = true;
  settings.parse.probabilities = true;
  for (const Sentence& gold : read_text(toy_treebank(40, 4))) {
    Sentence partial = gold;
    // Any projective tree with one root can be given in part; here a chain, which the model would never
    // choose.
    for (int word = 1; word <= partial.size(); ++word) {
      partial[word].set_head(word - 1);
      partial[word].set_deprel("given");
      if (random() % 2 == 0) {
        partial[word].set_head(kNoHead);
        partial[word].set_deprel("ignored");
      }
    }
    const Sentence tree = parsed(partial, settings);
    EXPECT_TRUE(is_tree(tree.heads()));
    EXPECT_TRUE(is_projective(tree.heads()));
    for (int word = 1; word <= partial.size(); ++word) {
      if (partial[word].head() == kNoHead) {
        EXPECT_NE(tree[word].deprel(), "ignored");
        continue;
      }
      EXPECT_EQ(tree[word].head(), partial[word].head());
      EXPECT_EQ(tree[word].deprel(), "given");
      EXPECT_NEAR(head_probability(tree[word]).value_or(0.0), 1.0, 1e-3);
      EXPECT_EQ(label_probability(tree[word]), 1.0);
    }
  }
}

TEST(Model, HeadsThatNoTreeHasAreAnError) {
  Sentence sentence = read_text(toy_treebank(1, 5)).front();
  PipelineOptions settings;
  settings.parse.keep_heads = true;
  sentence[1].set_head(2);
  sentence[2].set_head(1);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
  sentence[2].set_head(2);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
  sentence[2].set_head(sentence.size() + 1);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
}

TEST(Model, DoubtsAreOpenedOrMarked) {
  PipelineOptions settings;
  settings.parse.probabilities = true;
  PipelineOptions opens = settings;
  opens.min_confidence = 0.97;
  PipelineOptions marks = opens;
  marks.doubt = Doubt::mark;
  int doubtful = 0;
  int words = 0;
  for (const Sentence& gold : read_text(toy_treebank(30, 6))) {
    const Sentence tree = parsed(gold, settings);
    const Sentence open = parsed(gold, opens);
    const Sentence marked = parsed(gold, marks);
    for (int word = 1; word <= tree.size(); ++word) {
      const double head = *head_probability(tree[word]);
      const double both = head * *label_probability(tree[word]);
      EXPECT_EQ(open[word].head(), head < 0.97 ? kNoHead : tree[word].head());
      EXPECT_EQ(open[word].deprel(), both < 0.97 ? "_" : tree[word].deprel());
      EXPECT_EQ(marked[word].head(), tree[word].head());
      EXPECT_EQ(marked[word].misc().find("Doubtful=Yes") != std::string_view::npos, both < 0.97);
      ++words;
      doubtful += both < 0.97 ? 1 : 0;
    }
  }
  EXPECT_GT(doubtful, 0);
  EXPECT_LT(doubtful, words);
}

class PipelineFile : public TemporaryFolderTest {};

TEST_F(PipelineFile, OneFileHoldsEverything) {
  toy_pipeline().save(path("model"));
  const Model loaded = Model::load(path("model"));
  ASSERT_TRUE(loaded.tagger && loaded.labeller);
  PipelineOptions settings;
  settings.parse.probabilities = true;
  Pipeline again(loaded, settings);
  ParsedSentence result;
  for (const Sentence& gold : read_text(toy_treebank(10, 8))) {
    again.parse(bare(gold), result);
    EXPECT_EQ(write_text(result.trees), write_text({parsed(bare(gold), settings)}));
  }
  EXPECT_GT(Model::bytes_beside_parser(SectionFile::open(path("model"))), 1000U);
}

// A tagger that has seen a sentence knows its strange tags; those that have not cannot.
TEST(PredictedTags, NobodyTagsWhatItHasSeen) {
  std::vector<Sentence> sentences = read_text(toy_treebank(60, 9));
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    sentences[k][1].set_form("secret" + std::to_string(k));
    sentences[k][1].set_xpos(k % 2 == 0 ? "EVEN" : "ODD");
  }
  TaskPool pool(1);
  TaggerObserver nobody;
  const std::vector<Sentence> tagged = jackknife_tags(sentences, 3, {}, pool, nobody);
  ASSERT_EQ(tagged.size(), sentences.size());
  int known = 0;
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    ASSERT_EQ(tagged[k][1].form(), sentences[k][1].form());
    EXPECT_EQ(tagged[k].heads(), sentences[k].heads());
    known += tagged[k][1].xpos() == sentences[k][1].xpos() ? 1 : 0;
  }
  EXPECT_LT(known, 50);
  EXPECT_GT(known, 10);
  EXPECT_THROW(jackknife_tags(std::span(sentences).first(2), 3, {}, pool, nobody), DataError);
}

}  // namespace
}  // namespace copse::testing
