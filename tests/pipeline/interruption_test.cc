#include "parallel/interruption.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "copse/pipeline.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"

namespace copse::testing {
namespace {

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

TEST(Interruption, TheInnermostScopeOfTheThreadIsAsked) {
  int outer = 0;
  int inner = 0;
  interruption_point();
  {
    const InterruptionScope first([&] { ++outer; });
    interruption_point();
    {
      const InterruptionScope second([&] { ++inner; });
      interruption_point();
    }
    interruption_point();
  }
  interruption_point();
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 1);
}

// Wherever the parsing of a sentence is stopped, the next one is parsed as if nothing had happened.
TEST(Interruption, StoppedPipelinesGoOnWithOtherSentences) {
  const Model model(std::make_shared<const ModelComponents>(
      ModelComponents{toy_model(Factorization::sibling, RootMode::single, 1e-3)}));
  ParseOptions options;
  options.probabilities = true;
  options.min_alternative = 0.01;
  options.max_whole_words = 30;
  options.max_piece_words = 20;
  options.kbest = 5;
  Pipeline pipeline(model, options);
  const Sentence other = long_sentence(17);
  const ParsedSentence expected = Pipeline(model, options).parse_sentence(other);
  int points = 0;
  {
    const InterruptionScope scope([&] { ++points; });
    EXPECT_GT(pipeline.parse_sentence(long_sentence(70)).parse.pieces, 2);
  }
  EXPECT_GT(points, 50);  // in every piece, and for every tree
  for (int last = 1; last <= points; last += 1 + points / 15) {
    int seen = 0;
    const auto stop = [&] {
      if (++seen == last) throw Stopped();
    };
    {
      const InterruptionScope scope(stop);
      EXPECT_THROW(pipeline.parse_sentence(long_sentence(70)), Stopped);
    }
    const ParsedSentence parsed = pipeline.parse_sentence(other);
    EXPECT_EQ(parsed.sentence, expected.sentence) << "stopped at point " << last;
    EXPECT_EQ(parsed.parse.trees.size(), expected.parse.trees.size());
    EXPECT_EQ(parsed.parse.pieces, 1);
  }
}

}  // namespace
}  // namespace copse::testing
