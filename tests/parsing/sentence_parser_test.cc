#include "parsing/sentence_parser.h"

#include <gtest/gtest.h>

#include <cmath>

#include "parsing/toy_model.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

TEST(SentenceParser, PiecesMakeOneProjectiveTree) {
  for (const RootMode root : {RootMode::multi, RootMode::single}) {
    const ParserModel model = toy_model(Factorization::grandsibling, root, 1e-3);
    ParseOptions settings;
    settings.max_whole_words = settings.max_piece_words = 25;
    SentenceParser parser(model, settings);
    Parse result;
    for (const int words : {26, 50, 77, 130}) {
      SCOPED_TRACE(words);
      parser.parse(long_sentence(words), result);
      EXPECT_GE(result.pieces, (words + 24) / 25);
      ASSERT_EQ(result.trees.size(), 1U);
      const std::vector<int>& heads = result.trees[0].heads;
      ASSERT_TRUE(is_tree(heads));
      EXPECT_TRUE(is_projective(heads));
      if (root == RootMode::single) {
        EXPECT_EQ(roots(heads).size(), 1U);
      }
    }
    parser.parse(long_sentence(25), result);
    EXPECT_EQ(result.pieces, 1);
  }
}

TEST(SentenceParser, ProbabilitiesOfPiecesMultiply) {
  const ParserModel model = toy_model(Factorization::first, RootMode::multi, 0.0);
  const Sentence sentence = long_sentence(40);
  ParseOptions settings;
  settings.probabilities = true;
  settings.max_whole_words = settings.max_piece_words = 20;
  SentenceParser in_pieces(model, settings);
  Parse whole;
  in_pieces.parse(sentence, whole);
  double log_probability = 0.0;
  double entropy = 0.0;
  // The same cuts: after each full stop, or at the limit.
  int begin = 0;
  Parse part;
  for (int pieces = 0; pieces < whole.pieces; ++pieces) {
    int end = std::min(begin + 20, sentence.size());
    if (end < sentence.size()) {
      int cut = end;
      while (cut > end - 10 && sentence[cut].form() != ".") --cut;
      if (cut > end - 10) end = cut;
    }
    Sentence piece;
    for (int word = begin + 1; word <= end; ++word) piece.add_word(sentence[word]);
    in_pieces.parse(piece, part);
    ASSERT_EQ(part.pieces, 1);
    log_probability += part.best().log_probability;
    entropy += part.entropy;
    for (int word = 1; word <= piece.size(); ++word) {
      EXPECT_EQ(part.best().head_probabilities[static_cast<std::size_t>(word)],
                whole.best().head_probabilities[static_cast<std::size_t>(begin + word)]);
    }
    begin = end;
  }
  EXPECT_EQ(begin, sentence.size());
  EXPECT_NEAR(whole.best().log_probability, log_probability, 1e-9);
  EXPECT_NEAR(whole.entropy, entropy, 1e-9);
}

TEST(SentenceParser, SaysWhenItHadToPruneMore) {
  const ParserModel model = toy_model(Factorization::grandsibling, RootMode::multi, 0.0);
  EXPECT_EQ(model.pruner(), nullptr);
  ParseOptions settings;
  settings.max_parts = 20'000;
  SentenceParser parser(model, settings);
  Parse result;
  parser.parse(long_sentence(40), result);
  EXPECT_TRUE(result.had_to_prune);
  EXPECT_TRUE(is_projective(result.trees.at(0).heads));
  parser.parse(long_sentence(8), result);
  EXPECT_FALSE(result.had_to_prune);
}

TEST(SentenceParser, PartsPerWordAreBoundedWhereTheModelPrunes) {
  const ParserModel model = toy_model(Factorization::grandsibling, RootMode::multi, 1e-9);
  const Sentence sentence = long_sentence(40);
  Parse result;
  ParseOptions settings;
  settings.max_parts_per_word = 1'000'000;
  SentenceParser(model, settings).parse(sentence, result);
  EXPECT_FALSE(result.had_to_prune);
  settings.max_parts_per_word = 30;
  SentenceParser(model, settings).parse(sentence, result);
  EXPECT_TRUE(result.had_to_prune);
  EXPECT_TRUE(is_projective(result.trees.at(0).heads));
  // Somebody who asks for arcs gets them.
  settings.prune_threshold = 1e-9;
  SentenceParser(model, settings).parse(sentence, result);
  EXPECT_FALSE(result.had_to_prune);
}

TEST(SentenceParser, SentencesWithoutWordsHaveNoTrees) {
  const ParserModel model = toy_model(Factorization::first, RootMode::multi, 0.0);
  Sentence sentence;
  sentence.add_comment("# nothing");
  sentence.add_empty_node(0);
  const Sentence before = sentence;
  Parse result;
  SentenceParser(model, {}).parse(sentence, result);
  EXPECT_TRUE(result.trees.empty());
  write_columns(result, 0, sentence);
  EXPECT_EQ(sentence, before);
}

// Exact, whatever the pieces: every head of a word, and their probabilities sum to 1 if none is left out.
TEST(SentenceParser, AlternativesAreTheMarginals) {
  const ParserModel model = toy_model(Factorization::sibling, RootMode::multi, 0.0);
  ParseOptions options;
  options.probabilities = true;
  options.min_alternative = 1e-300;
  for (const int piece : {100, 12}) {
    options.max_whole_words = options.max_piece_words = piece;
    SentenceParser parser(model, options);
    Parse result;
    const Sentence sentence = long_sentence(20);
    parser.parse(sentence, result);
    ASSERT_EQ(result.alternatives.size(), 21U);
    for (std::size_t word = 1; word <= 20; ++word) {
      double sum = 0.0;
      double of_best_tree = 0.0;
      double last = 1.0;
      for (const HeadAlternative& alternative : result.alternatives[word]) {
        sum += alternative.probability;
        EXPECT_LE(alternative.probability, last);
        last = alternative.probability;
        if (alternative.head == result.best().heads[word]) of_best_tree = alternative.probability;
      }
      EXPECT_NEAR(sum, 1.0, 1e-9);
      EXPECT_EQ(of_best_tree, result.best().head_probabilities[word]);
    }
  }
}

TEST(SentenceParser, KBestOfPiecesAreOrderedAndDifferent) {
  const ParserModel model = toy_model(Factorization::sibling, RootMode::single, 0.0);
  ParseOptions settings;
  settings.kbest = 7;
  settings.max_whole_words = settings.max_piece_words = 15;
  SentenceParser parser(model, settings);
  Parse result;
  parser.parse(long_sentence(35), result);
  ASSERT_EQ(result.trees.size(), 7U);
  double last = 1.0;
  for (const ParsedTree& tree : result.trees) {
    EXPECT_LE(std::exp(tree.log_probability), last);
    last = std::exp(tree.log_probability);
    EXPECT_TRUE(is_projective(tree.heads));
    EXPECT_EQ(roots(tree.heads).size(), 1U);
  }
  for (std::size_t k = 1; k < result.trees.size(); ++k) {
    EXPECT_NE(result.trees[k].heads, result.trees[k - 1].heads);
  }
}

}  // namespace
}  // namespace copse::testing
