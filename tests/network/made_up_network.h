#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/network_pass.h"
#include "network/random.h"

namespace copse::testing {

// Sizes that are no multiples of what vectors hold.
inline NetworkShape odd_shape(Factorization factorization, Spelling spelling = Spelling::affixes) {
  NetworkShape shape;
  shape.word_size = 10;
  shape.affix_rows = 13;
  shape.affix_size = 7;
  shape.character_size = 6;
  shape.spelling_size = 14;
  shape.spelling = spelling;
  shape.tag_size = 5;
  shape.hidden = 19;
  shape.factorization = factorization;
  shape.arc_size = 21;
  shape.label_size = 9;
  shape.rank = 16;
  shape.tag_hidden = 11;
  shape.tags_read_input = spelling == Spelling::both;
  return shape;
}

// A description of a network for sentences like those of made_up_sentence().
inline NetworkDescription made_up_description(NetworkShape shape, bool has_vectors = true) {
  NetworkDescription network;
  const auto numbered = [](const char* prefix, int count) {
    std::vector<std::string> texts;
    for (int k = 0; k < count; ++k) texts.push_back(prefix + std::to_string(k));
    return texts;
  };
  network.inputs.words = Vocabulary(numbered("w", 20));
  if (shape.reads_characters()) {
    network.inputs.characters = Vocabulary({"w", "0", "1", "2", "3", "4", "5"});
  }
  network.inputs.upos = Vocabulary({"A", "B"});
  network.inputs.xpos = Vocabulary({"X0", "X1", "X2"});
  network.inputs.features = Vocabulary({"Case=Nom", "Case=Acc", "Number=Sing"});
  set_input_sizes(network.inputs, shape);
  if (has_vectors) {
    Random random(4);
    WordVectorsBuilder vectors(6);
    for (const std::string& word : numbered("w", 8)) {
      std::vector<float> values(6);
      for (float& value : values) value = random.normal();
      vectors.add(word, values);
    }
    network.vectors = vectors.build();
    shape.vector_size = 6;
  }
  network.labels = numbered("label", 5);
  shape.labels = network.labels.size();
  const auto add_tags = [&](Row::Column column, std::vector<std::string> values) {
    TagColumn tag{column, Vocabulary(std::move(values)), {}};
    tag.place = {shape.tag_values, tag.values.size() - 1};
    shape.tag_values += tag.place.size;
    network.tags.push_back(std::move(tag));
  };
  add_tags(Row::kUpos, numbered("U", 4));
  add_tags(Row::kFeats, {"_", "Case=Nom", "Case=Acc|Number=Sing"});
  network.shape = shape;
  return network;
}

// Those that begin with zeros too.
inline std::vector<float> made_up_weights(const NetworkShape& shape, std::uint64_t seed) {
  std::vector<float> weights = initial_weights(shape, seed);
  Random random(seed);
  for (float& weight : weights) {
    if (weight == 0.0F) weight = 0.3F * random.normal();
  }
  return weights;
}

inline Network made_up_network(const NetworkShape& shape, std::uint64_t seed = 1) {
  NetworkDescription description = made_up_description(shape);
  const std::vector<float> weights = made_up_weights(description.shape, seed);
  return {std::move(description), weights};
}

inline EncodedSentences encode(NetworkPass& pass, std::span<const Sentence> sentences) {
  std::vector<const Sentence*> pointers;
  for (const Sentence& sentence : sentences) pointers.push_back(&sentence);
  EncodedSentences encoded;
  pass.encode(pointers, encoded);
  return encoded;
}

inline Sentence made_up_sentence(Random& random, int words) {
  Sentence sentence;
  for (int k = 0; k < words; ++k) {
    Token& word = sentence.add_word("W" + std::to_string(random.below(40)));
    word.set_upos(random.below(2) == 0 ? "A" : "B");
    word.set_xpos("X" + std::to_string(random.below(4)));
    word.set_feats(random.below(2) == 0 ? "Case=Nom|Number=Sing" : "_");
  }
  return sentence;
}

}  // namespace copse::testing
