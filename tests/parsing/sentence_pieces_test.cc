#include "parsing/sentence_pieces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trees/heads.h"

namespace copse::testing {
namespace {

Sentence sentence_of(const std::string& letters) {
  Sentence sentence;
  for (const char letter : letters) sentence.add_word(std::string_view(&letter, 1));
  return sentence;
}

TEST(PieceEnds, ShortSentencesAreOnePiece) {
  EXPECT_EQ(piece_ends(sentence_of("a.b.c"), 5), std::vector<int>({5}));
  EXPECT_EQ(piece_ends(sentence_of("a"), 1), std::vector<int>({1}));
}

TEST(PieceEnds, CutsAfterTheLastMarkOfTheSecondHalf) {
  EXPECT_EQ(piece_ends(sentence_of("aaaa.a.aaaaaa"), 10), std::vector<int>({7, 13}));
  EXPECT_EQ(piece_ends(sentence_of("aaaaaa?aa!aaa"), 10), std::vector<int>({10, 13}));
  EXPECT_EQ(piece_ends(sentence_of("aaaaa.aaaaaaa"), 10), std::vector<int>({6, 13}));
}

TEST(PieceEnds, WithoutMarksCutsAtTheLimit) {
  EXPECT_EQ(piece_ends(sentence_of("aaaa.aaaaaaaa"), 10), std::vector<int>({10, 13}));
  EXPECT_EQ(piece_ends(sentence_of("aaaaaaaaa"), 3), std::vector<int>({3, 6, 9}));
  EXPECT_EQ(piece_ends(sentence_of("aaa"), 1), std::vector<int>({1, 2, 3}));
}

ParsedTree tree_of(const std::vector<int>& heads, double probability) {
  std::vector<double> arcs(heads.size(), probability);
  return {heads, {}, std::log(probability), arcs, {}, {}};
}

TEST(AppendPiece, SeveralRootsStayUnderTheRoot) {
  std::vector<ParsedTree> trees = {tree_of({0, 2, 0}, 0.5)};
  append_piece(trees, {tree_of({0, 0, 1, 0}, 0.25)}, RootMode::multi, 1);
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].heads, std::vector<int>({0, 2, 0, 0, 3, 0}));
  EXPECT_DOUBLE_EQ(trees[0].log_probability, std::log(0.125));
  EXPECT_EQ(trees[0].head_probabilities, std::vector<double>({0.5, 0.5, 0.5, 0.25, 0.25, 0.25}));
}

TEST(AppendPiece, ASingleRootTakesTheOthers) {
  std::vector<ParsedTree> trees = {tree_of({0, 2, 0, 2}, 0.5)};
  for (int k = 0; k < 2; ++k) append_piece(trees, {tree_of({0, 2, 0, 2}, 0.5)}, RootMode::single, 1);
  EXPECT_EQ(trees[0].heads, std::vector<int>({0, 2, 0, 2, 5, 2, 5, 8, 2, 8}));
  EXPECT_TRUE(is_projective(trees[0].heads));
}

TEST(AppendPiece, KeepsTheMostProbablePairs) {
  std::vector<ParsedTree> trees = {tree_of({0, 0}, 0.5), tree_of({0, 0}, 0.4), tree_of({0, 0}, 0.1)};
  const std::vector<ParsedTree> piece = {tree_of({0, 0}, 0.6), tree_of({0, 0}, 0.3), tree_of({0, 0}, 0.1)};
  append_piece(trees, piece, RootMode::multi, 4);
  ASSERT_EQ(trees.size(), 4U);
  const std::vector<double> expected = {0.3, 0.24, 0.15, 0.12};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(std::exp(trees[k].log_probability), expected[k], 1e-12);
  append_piece(trees, {tree_of({0, 0}, 1.0)}, RootMode::multi, 100);
  EXPECT_EQ(trees.size(), 4U);
}

}  // namespace
}  // namespace copse::testing
