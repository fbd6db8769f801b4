// Sentences that are read for a parser: each once, whatever their lengths and the order in which they are
// parsed, and never differently for what is read beside them.
#include "pipeline/batch_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "model/network_potentials.h"
#include "network/made_up_network.h"

namespace copse::testing {
namespace {

// Counts the words that are read.
class CountingSource : public PotentialSource {
 public:
  CountingSource(const ParserModel& model, int& words) : source_(model.make_potentials()), words_(&words) {}

  Factorization factorization() const override { return source_->factorization(); }
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) override {
    for (const Sentence* sentence : sentences) *words_ += sentence->size();
    source_->prepare(sentences, batch);
  }
  void assign(PreparedSentence sentence) override { source_->assign(sentence); }
  void score_arcs(const PartIndex& arcs, Potentials& potentials) override {
    source_->score_arcs(arcs, potentials);
  }
  void score(const PartIndex& parts, double factor, Potentials& potentials) override {
    source_->score(parts, factor, potentials);
  }

 private:
  std::unique_ptr<PotentialSource> source_;
  int* words_;
};

class BatchReaderTest : public ::testing::Test {
 protected:
  BatchReaderTest() {
    options_.max_whole_words = 30;
    options_.max_piece_words = 12;
    Random random(7);
    for (const int words : {9, 100, 0, 30, 31, 1, 250, 17}) {
      sentences_.push_back(made_up_sentence(random, words));
    }
    for (Sentence& sentence : sentences_) pointers_.push_back(&sentence);
  }

  bool is_long(const Sentence& sentence) const { return sentence.size() > options_.max_whole_words; }

  ParserModel model_{RootMode::single, made_up_network(odd_shape(Factorization::grandsibling)), 0.0,
                     RootLabels()};
  ParseOptions options_;
  std::vector<Sentence> sentences_;
  std::vector<Sentence*> pointers_;
};

TEST_F(BatchReaderTest, EverySentenceIsReadOnceInAnyOrder) {
  std::vector<Parse> expected(sentences_.size());
  SentenceParser alone(model_, options_);
  for (std::size_t k = 0; k < sentences_.size(); ++k) alone.parse(sentences_[k], expected[k]);

  int words = 0;
  SentenceParser parser(model_, std::make_unique<CountingSource>(model_, words), options_);
  BatchReader reader(parser);
  std::vector<std::size_t> order(sentences_.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 shuffle(3);
  int all = 0;
  // Long ones as a whole, for their tags and labels, and in pieces, for their heads.
  for (const Sentence& sentence : sentences_) all += (is_long(sentence) ? 2 : 1) * sentence.size();
  for (int trial = 0; trial < 10; ++trial) {
    words = 0;
    reader.assign(pointers_, options_);
    for (const std::size_t k : order) {
      const PreparedSentence sentence = reader.read(k);
      EXPECT_EQ(&sentence.sentence(), &sentences_[k]);
      Parse parse;
      parser.parse(sentence, {}, parse);
      ASSERT_EQ(parse.trees.size(), expected[k].trees.size());
      EXPECT_EQ(parse.pieces, expected[k].pieces);
      EXPECT_EQ(parse.pieces > 1, is_long(sentences_[k]));
      if (!parse.trees.empty()) {
        EXPECT_EQ(parse.best().heads, expected[k].best().heads);
      }
      reader.read(k);  // what has been read is not read again
    }
    EXPECT_EQ(words, all);
    std::shuffle(order.begin(), order.end(), shuffle);
  }
}

TEST_F(BatchReaderTest, WhatIsReadOfASentenceDoesNotDependOnTheOthers) {
  NetworkPass pass(*model_.network());
  SentenceParser parser(model_, options_);
  BatchReader reader(parser);
  reader.assign(pointers_, options_);
  for (const std::size_t k : {7, 1, 0, 6, 3, 4, 5, 1}) {
    const EncodedSentences alone = encode(pass, std::span(&sentences_[k], 1));
    Parse parse;
    const PreparedSentence sentence = reader.read(k);
    parser.parse(sentence, {}, parse);  // which reads pieces
    const ConstMatrix found = sentence.roles();
    const ConstMatrix expected = alone.roles(0);
    ASSERT_EQ(found.rows, expected.rows);
    ASSERT_EQ(found.columns, expected.columns);
    EXPECT_EQ(std::memcmp(found.data, expected.data, found.rows * found.columns * sizeof(float)), 0) << k;
  }
}

}  // namespace
}  // namespace copse::testing
