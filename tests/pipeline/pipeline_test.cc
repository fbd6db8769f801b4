#include "copse/pipeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "copse/inference/tree_distribution.h"
#include "io/temporary_folder.h"
#include "labelling/labeller_trainer.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"
#include "pipeline/predicted_tags.h"
#include "tagging/tagger_trainer.h"
#include "treebank/head_probability.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

ModelComponents toy_components() {
  const std::vector<Sentence> sentences = read_text(toy_treebank(80, 1));
  TaskPool pool(1);
  TaggerObserver nobody;
  ModelComponents all{toy_model(Factorization::grandsibling, RootMode::single, 1e-3)};
  all.tagger = train_tagger(sentences, {}, {}, pool, nobody);
  all.labeller = train_labeller(sentences, {}, {}, pool, nobody);
  return all;
}

Model shared_components(ModelComponents components) {
  return Model(std::make_shared<const ModelComponents>(std::move(components)));
}

const Model& toy_model_of_all() {
  static const Model model = shared_components(toy_components());
  return model;
}

ParsedSentence parse(const Sentence& sentence, const ParseOptions& options = {}) {
  return Pipeline(toy_model_of_all(), options).parse_sentence(sentence);
}

Sentence parsed(const Sentence& sentence, const ParseOptions& options = {}) {
  return parse(sentence, options).sentence;
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

TEST(Pipeline, WordsBecomeLabelledTrees) {
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

TEST(Pipeline, OptionsCanChange) {
  const Sentence sentence = bare(read_text(toy_treebank(1, 3)).front());
  const Sentence known = parsed(sentence);
  std::vector<ParseOptions> all(6);
  all[1].tags = TagUse::never;
  all[2].labels = false;
  all[3].probabilities = true;
  all[4].kbest = 3;
  all[5].temperature = 2.0;
  all[5].probabilities = true;
  all[5].prune_threshold = 0.0;
  Pipeline pipeline(toy_model_of_all(), all[1]);
  for (const std::size_t k : {0, 1, 2, 3, 4, 5, 0, 5, 1, 4, 3, 2}) {
    SCOPED_TRACE(k);
    pipeline.set_options(all[k]);
    const ParsedSentence found = pipeline.parse_sentence(sentence);
    const ParsedSentence expected = parse(sentence, all[k]);
    EXPECT_EQ(found.sentence, expected.sentence);
    ASSERT_EQ(found.parse.trees.size(), expected.parse.trees.size());
    EXPECT_EQ(found.parse.best().head_probabilities, expected.parse.best().head_probabilities);
    EXPECT_EQ(found.parse.entropy, expected.parse.entropy);
  }
}

TEST(Pipeline, SamplesFollowTheDistribution) {
  ParseOptions options;
  options.probabilities = true;
  options.temperature = 20.0;  // all kinds of trees
  options.samples = 4000;
  options.min_alternative = 1e-9;
  options.prune_threshold = 0.0;
  const Sentence sentence = bare(read_text(toy_treebank(1, 3)).front());
  const ParsedSentence found = parse(sentence, options);
  ASSERT_EQ(found.parse.samples.size(), 4000U);
  std::vector<std::map<int, int>> counts(static_cast<std::size_t>(sentence.size()) + 1);
  double log_probabilities = 0.0;
  for (const ParsedTree& tree : found.parse.samples) {
    ASSERT_TRUE(is_tree(tree.heads));
    ASSERT_EQ(tree.labels.size(), tree.heads.size());
    log_probabilities += tree.log_probability;
    for (std::size_t word = 1; word < tree.heads.size(); ++word) ++counts[word][tree.heads[word]];
  }
  EXPECT_NEAR(-log_probabilities / 4000, found.parse.entropy, 0.1);
  for (std::size_t word = 1; word < counts.size(); ++word) {
    for (const HeadAlternative& head : found.parse.alternatives[word]) {
      const double p = head.probability;
      EXPECT_NEAR(counts[word][head.head] / 4000.0, p, 5 * std::sqrt(p * (1 - p) / 4000) + 1e-9);
    }
  }
  // They depend on the seed alone, and known heads hold for them, too.
  EXPECT_EQ(parse(sentence, options).parse.samples[17].heads, found.parse.samples[17].heads);
  options.sample_seed = 2;
  int equal = 0;
  const ParsedSentence other = parse(sentence, options);
  for (std::size_t k = 0; k < 4000; ++k) {
    equal += other.parse.samples[k].heads == found.parse.samples[k].heads ? 1 : 0;
  }
  EXPECT_LT(equal, 4000);
  Sentence half = sentence;
  half[2].set_head(1);
  options.keep_known = true;
  for (const ParsedTree& tree : parse(half, options).parse.samples) ASSERT_EQ(tree.heads[2], 1);
  // Sentences in pieces have samples, too.
  options.max_whole_words = options.max_piece_words = 2;
  options.keep_known = false;
  options.samples = 50;
  for (const ParsedTree& tree : parse(sentence, options).parse.samples) {
    ASSERT_EQ(tree.heads.size(), static_cast<std::size_t>(sentence.size()) + 1);
    EXPECT_TRUE(is_tree(tree.heads));
  }
}

TEST(Pipeline, TagsOfTheInputAreUsedUnlessAskedOtherwise) {
  Sentence sentence = read_text(toy_treebank(1, 3)).front();
  sentence[1].set_xpos("STRANGE");
  EXPECT_EQ(parsed(sentence)[1].xpos(), "STRANGE");
  ParseOptions settings;
  settings.tags = TagUse::always;
  EXPECT_NE(parsed(sentence, settings)[1].xpos(), "STRANGE");
  settings.tags = TagUse::never;
  EXPECT_EQ(parsed(bare(sentence), settings)[1].xpos(), "_");
}

TEST(Pipeline, GivenHeadsAndLabelsAreKept) {
  std::mt19937 random(7);
  ParseOptions settings;
  settings.keep_known = true;
  settings.probabilities = true;
  for (const Sentence& gold : read_text(toy_treebank(40, 4))) {
    Sentence partial = gold;
    // Any projective tree with one root can be given in part; here a chain, which the model would never
    // choose.
    for (int word = 1; word <= partial.size(); ++word) {
      partial[word].set_head(word - 1);
      partial[word].set_deprel("given");
      if (random() % 2 == 0) {
        partial[word].set_head(kNoHead);
        partial[word].set_deprel(random() % 2 == 0 ? "label-alone" : "_");
      }
    }
    const Sentence tree = parsed(partial, settings);
    EXPECT_TRUE(is_tree(tree.heads()));
    EXPECT_TRUE(is_projective(tree.heads()));
    for (int word = 1; word <= partial.size(); ++word) {
      if (partial[word].head() == kNoHead) {
        EXPECT_EQ(tree[word].deprel() == "label-alone", partial[word].deprel() == "label-alone");
        continue;
      }
      EXPECT_EQ(tree[word].head(), partial[word].head());
      EXPECT_EQ(tree[word].deprel(), "given");
      EXPECT_NEAR(head_probability(tree[word]).value_or(0.0), 1.0, 1e-3);
      EXPECT_EQ(label_probability(tree[word]), 1.0);
    }
  }
}

TEST(Pipeline, HeadsThatNoTreeHasAreAnError) {
  Sentence sentence = read_text(toy_treebank(1, 5)).front();
  ParseOptions settings;
  settings.keep_known = true;
  sentence[1].set_head(2);
  sentence[2].set_head(1);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
  sentence[2].set_head(2);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
  sentence[2].set_head(sentence.size() + 1);
  EXPECT_THROW(parsed(sentence, settings), InfeasibleError);
}

TEST(Pipeline, TheFewestKnownHeadsAreDroppedIfAskedFor) {
  Sentence sentence = read_text(toy_treebank(1, 5)).front();
  ASSERT_GE(sentence.size(), 4);
  ParseOptions options;
  options.keep_known = true;
  options.drop_conflicts = true;
  for (Token& word : sentence.words()) word.set_head(kNoHead);
  sentence[1].set_head(2);
  sentence[2].set_head(1);
  sentence[3].set_head(4);
  const ParsedSentence result = parse(sentence, options);
  EXPECT_EQ(result.parse.dropped_heads.size(), 1U);
  EXPECT_EQ(result.sentence[3].head(), 4);
  EXPECT_EQ((result.sentence[1].head() == 2) + (result.sentence[2].head() == 1), 1);
  EXPECT_TRUE(is_projective(result.sentence.heads()));
  sentence[2].set_head(sentence.size() + 1);
  EXPECT_EQ(parse(sentence, options).parse.dropped_heads, std::vector<int>({2}));
}

// Arcs from one piece of a long sentence to another are put back in when the tree is complete, if it is one.
TEST(Pipeline, KnownHeadsOfLongSentencesAreKept) {
  ParseOptions options;
  options.keep_known = true;
  options.drop_conflicts = true;
  options.max_whole_words = 30;
  options.max_piece_words = 20;
  Sentence sentence = long_sentence(70);
  sentence[3].set_head(2);
  sentence[40].set_head(39);
  sentence[41].set_head(41);  // of itself
  const ParsedSentence result = parse(sentence, options);
  EXPECT_GT(result.parse.pieces, 2);
  EXPECT_EQ(result.parse.dropped_heads, std::vector<int>({41}));
  EXPECT_EQ(result.sentence[3].head(), 2);
  EXPECT_EQ(result.sentence[40].head(), 39);
  EXPECT_TRUE(is_projective(result.sentence.heads()));
}

TEST(Pipeline, PseudoProjectiveModelsTakeCrossingArcs) {
  ModelComponents components = toy_components();
  components.is_pseudo_projective = true;
  ParseOptions options;
  options.keep_known = true;
  options.probabilities = true;
  Pipeline pipeline(shared_components(std::move(components)), options);
  Sentence sentence = read_text(toy_treebank(1, 5)).front();
  ASSERT_GE(sentence.size(), 4);
  for (Token& word : sentence.words()) word.set_head(1);
  sentence[1].set_head(3);
  sentence[3].set_head(0);
  sentence[2].set_head(4);  // crosses the arc from 3 to 1
  const std::vector<int> heads = sentence.heads();
  const ParsedSentence result = pipeline.parse_sentence(sentence);
  EXPECT_EQ(result.sentence.heads(), heads);
  EXPECT_EQ(result.parse.best().head_probabilities[2], 1.0);
}

TEST(Pipeline, LowConfidenceIsOpenedOrMarked) {
  ParseOptions settings;
  settings.probabilities = true;
  ParseOptions opens = settings;
  opens.min_confidence = 0.97;
  ParseOptions marks = opens;
  marks.low_confidence = LowConfidence::mark;
  int doubtful = 0;
  int words = 0;
  for (const Sentence& gold : read_text(toy_treebank(30, 6))) {
    const ParsedSentence whole = parse(gold, settings);
    const ParsedTree& tree = whole.parse.best();
    const Sentence open = parsed(gold, opens);
    const Sentence marked = parsed(gold, marks);
    for (int word = 1; word <= gold.size(); ++word) {
      const auto at = static_cast<std::size_t>(word);
      const double head = tree.head_probabilities[at];
      const double both = head * tree.label_probabilities[at];
      EXPECT_EQ(open[word].head(), head < 0.97 ? kNoHead : tree.heads[at]);
      EXPECT_EQ(open[word].deprel(), both < 0.97 ? "_" : tree.labels[at]);
      EXPECT_EQ(marked[word].head(), tree.heads[at]);
      EXPECT_EQ(marked[word].misc().find("Doubtful=Yes") != std::string_view::npos, both < 0.97);
      ++words;
      doubtful += both < 0.97 ? 1 : 0;
    }
  }
  EXPECT_GT(doubtful, 0);
  EXPECT_LT(doubtful, words);
}

// A threshold between the probability and what it is rounded to in MISC: the probability counts.
TEST(Pipeline, ConfidenceIsNotRounded) {
  ParseOptions options;
  options.probabilities = true;
  options.labels = false;
  int compared = 0;
  for (const Sentence& gold : read_text(toy_treebank(30, 6))) {
    const ParsedTree tree = parse(gold, options).parse.best();
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      const double probability = tree.head_probabilities[word];
      const double rounded = std::round(probability * 1e4) / 1e4;
      if (rounded <= probability || rounded > 1.0) continue;
      ParseOptions strict = options;
      strict.min_confidence = rounded;
      EXPECT_EQ(parse(gold, strict).parse.best().heads[word], kNoHead);
      ++compared;
      break;
    }
  }
  EXPECT_GT(compared, 5);
}

TEST(Pipeline, WordsGetTheTagsTheyLack) {
  for (const Sentence& gold : read_text(toy_treebank(20, 11))) {
    const Sentence all = parsed(bare(gold));
    Sentence some = bare(gold);
    some[1].set_upos(gold[1].upos());
    some[1].set_xpos(gold[1].xpos());
    const Sentence tagged = parsed(some);
    for (int word = 1; word <= gold.size(); ++word) EXPECT_NE(tagged[word].upos(), "_");
    Sentence fine_alone = bare(gold);
    for (int word = 1; word <= gold.size(); ++word) fine_alone[word].set_xpos(gold[word].xpos());
    const Sentence completed = parsed(fine_alone);
    for (int word = 1; word <= gold.size(); ++word) {
      EXPECT_EQ(completed[word].xpos(), gold[word].xpos());
      EXPECT_EQ(completed[word].upos(), all[word].upos());
    }
  }
}

TEST(Pipeline, MissingTagsAreReportedWhereNobodyCanSupplyThem) {
  ModelComponents components{toy_model(Factorization::first, RootMode::single, 0.0)};
  Pipeline pipeline(shared_components(std::move(components)));
  Sentence sentence = read_text(toy_treebank(1, 5)).front();
  EXPECT_EQ(pipeline.parse_sentence(sentence).parse.untagged_words, 0);
  sentence[1].set_upos("_");
  EXPECT_EQ(pipeline.parse_sentence(sentence).parse.untagged_words, sentence[1].xpos() == "_" ? 1 : 0);
  EXPECT_EQ(pipeline.parse_sentence(bare(sentence)).parse.untagged_words, sentence.size());
}

TEST(Pipeline, NothingOfAnEarlierParseStays) {
  ParseOptions options;
  options.probabilities = true;
  options.kbest = 2;
  options.min_confidence = 0.999999;
  options.low_confidence = LowConfidence::mark;
  for (Sentence gold : read_text(toy_treebank(5, 12))) {
    for (Token& word : gold.words()) word.set_misc("Gloss=x");
    for (Token& word : gold.words()) word.set_deps("9:stale");
    const Sentence plain = parsed(gold);
    const Sentence rich = parsed(gold, options);
    EXPECT_NE(rich, plain);
    EXPECT_EQ(parsed(rich), plain);
    Sentence other_tree = gold;
    other_tree[1].set_head(gold[1].head() == 0 ? gold.size() : 0);
    const Sentence changed = parsed(other_tree);
    for (const Token& word : changed.words()) EXPECT_EQ(word.deps(), "_");
  }
}

TEST(Pipeline, TextNeedsASegmenter) {
  Pipeline pipeline(toy_model_of_all());
  EXPECT_THROW(pipeline.parse_text("the dog"), DataError);
  EXPECT_FALSE(toy_model_of_all().has_segmenter());
  const ParsedSentence words = pipeline.parse_words(std::vector<std::string>{"the", "dog", "sees"});
  EXPECT_EQ(words.sentence.size(), 3);
  EXPECT_TRUE(is_tree(words.parse.best().heads));
}

class PipelineFile : public TemporaryFolderTest {};

TEST_F(PipelineFile, OneFileHoldsEverything) {
  toy_model_of_all().components().save(path("model"));
  const Model loaded = Model::load(path("model"));
  ASSERT_TRUE(loaded.has_tagger());
  EXPECT_FALSE(loaded.labels().empty());
  ParseOptions settings;
  settings.probabilities = true;
  Pipeline again(loaded, settings);
  for (const Sentence& gold : read_text(toy_treebank(10, 8))) {
    EXPECT_EQ(again.parse_sentence(bare(gold)).sentence, parsed(bare(gold), settings));
  }
  EXPECT_GT(ModelComponents::bytes_beside_parser(SectionFile::open(path("model"))), 1000U);
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
