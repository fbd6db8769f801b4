#include <gtest/gtest.h>

#include "parsing/toy_model.h"
#include "pipeline/model_components.h"
#include "pipeline/stream_parser.h"

namespace copse::testing {
namespace {

struct Listener : ParsingObserver {
  void on_sentence(std::int64_t number, const PipelineItem& item) override {
    if (item.parse.pieces > 1) notes.push_back({number, item.sentence.size(), item.parse.pieces});
  }
  void on_progress(std::int64_t sentences, std::int64_t /*words*/) override { progress.push_back(sentences); }

  std::vector<std::array<std::int64_t, 3>> notes;
  std::vector<std::int64_t> progress;
};

Model shared(ParserModel parser) {
  return Model(std::make_shared<const ModelComponents>(ModelComponents{std::move(parser)}));
}

TEST(StreamParser, WritesInOrderWhateverTheThreads) {
  const Model model = shared(toy_model(Factorization::sibling, RootMode::single, 1e-3));
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
    StreamParser parser(model, settings, pool, writer, listener);
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

TEST(StreamParser, HoldsABoundedNumberBack) {
  const Model model = shared(toy_model(Factorization::first, RootMode::multi, 0.0));
  TaskPool pool(1);
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text);
  Listener listener;
  StreamParser parser(model, {}, pool, writer, listener);
  for (Sentence& sentence : read_text(toy_treebank(300, 3))) parser.add(std::move(sentence));
  EXPECT_GE(listener.progress.size(), 2U);
  const std::size_t before = text.size();
  parser.flush();
  EXPECT_GT(text.size(), before);
}

}  // namespace
}  // namespace copse::testing
