#include <gtest/gtest.h>

#include "parsing/toy_model.h"
#include "parsing/treebank_parser.h"

namespace copse::testing {
namespace {

struct Listener : ParsingObserver {
  void on_long_sentence(std::int64_t number, int words, const ParsedSentence& parsed) override {
    notes.push_back({number, words, parsed.pieces});
  }
  void on_progress(std::int64_t sentences, std::int64_t /*words*/) override { progress.push_back(sentences); }

  std::vector<std::array<std::int64_t, 3>> notes;
  std::vector<std::int64_t> progress;
};

TEST(TreebankParser, WritesInOrderWhateverTheThreads) {
  const ParserModel model = toy_model(Factorization::sibling, RootMode::single, 1e-3);
  std::vector<Sentence> sentences = read_text(toy_treebank(400, 2));
  sentences.insert(sentences.begin() + 150, long_sentence(70));
  ParseOptions settings;
  settings.probabilities = true;
  settings.max_whole_words = settings.max_piece_words = 40;
  std::string expected;
  for (const int threads : {1, 2, 4}) {
    TaskPool pool(threads);
    std::string text;
    ConllWriter writer = ConllWriter::to_text(text);
    Listener listener;
    TreebankParser parser([&] { return std::make_unique<SentenceParser>(model, settings); }, pool, writer,
                          listener);
    for (Sentence sentence : sentences) parser.add(std::move(sentence));
    parser.flush();
    parser.flush();
    ASSERT_EQ(listener.notes.size(), 1U);
    EXPECT_EQ(listener.notes[0], (std::array<std::int64_t, 3>{151, 70, 2}));
    EXPECT_EQ(listener.progress.back(), 401);
    EXPECT_EQ(read_text(text).size(), 401U);
    if (threads == 1) expected = text;
    EXPECT_TRUE(text == expected);
  }
  EXPECT_NE(expected.find("toy-400"), std::string::npos);
}

TEST(TreebankParser, HoldsABoundedNumberBack) {
  const ParserModel model = toy_model(Factorization::first, RootMode::multi, 0.0);
  TaskPool pool(1);
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text);
  Listener listener;
  TreebankParser parser([&] { return std::make_unique<SentenceParser>(model, ParseOptions()); }, pool, writer,
                        listener);
  for (Sentence& sentence : read_text(toy_treebank(300, 3))) parser.add(std::move(sentence));
  EXPECT_GE(listener.progress.size(), 2U);
  const std::size_t before = text.size();
  parser.flush();
  EXPECT_GT(text.size(), before);
}

}  // namespace
}  // namespace copse::testing
