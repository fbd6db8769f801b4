#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "pretraining/pretrainer.h"

namespace copse::testing {

inline NetworkShape toy_shape(std::size_t affix_rows = 64, Spelling spelling = Spelling::affixes) {
  NetworkShape shape;
  shape.affix_rows = affix_rows;
  shape.spelling = spelling;
  return shape;
}

// A text whose words say something about each other: what animals do.
inline std::unique_ptr<EncoderText> toy_text(int sentences, const NetworkShape& shape) {
  auto text = std::make_unique<EncoderText>(::testing::TempDir(), shape);
  std::mt19937_64 random(1);
  const std::vector<std::vector<std::string>> kinds = {{"dogs", "bark", "loudly"},
                                                       {"cats", "purr", "softly"},
                                                       {"birds", "sing", "sweetly"},
                                                       {"fish", "swim", "silently"}};
  for (int k = 0; k < sentences; ++k) {
    const auto& kind = kinds[random() % kinds.size()];
    text->add("The");
    if (random() % 2 == 0) text->add("old");
    for (const std::string& word : kind) text->add(word);
    if (random() % 3 == 0) text->add("today");
    text->add(".");
    text->end_sentence();
  }
  return text;
}

inline PretrainingOptions toy_pretraining() {
  PretrainingOptions options;
  options.shape.word_size = 16;
  options.shape.spelling_size = 8;
  options.shape.affix_rows = 64;
  options.shape.affix_size = 4;
  options.shape.layers = 1;
  options.shape.hidden = 16;
  options.min_count = 1;
  options.batches.passes = 3;
  options.batches.batch_words = 100;
  options.learning.rate = 0.02F;
  options.window_words = 500;
  options.checkpoint_seconds = 0.0;
  return options;
}

}  // namespace copse::testing
