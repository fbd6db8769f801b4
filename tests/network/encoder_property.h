#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "model/model_property.h"
#include "network/pretrained_encoder.h"
#include "network/random.h"

namespace copse::testing {

inline const std::vector<std::string> kEncoderCharacters = {"a", "c", "d", "e", "g", "h", "o", "s", "t"};

inline NetworkShape encoder_shape(std::size_t words, Spelling spelling = Spelling::affixes) {
  NetworkShape shape;
  shape.guesses_words = true;
  shape.words = words + 2;
  shape.word_size = 10;
  shape.affix_rows = 13;
  shape.affix_size = 6;
  shape.spelling = spelling;
  shape.spelling_size = shape.reads_characters() ? 8 : 7;
  if (shape.reads_characters()) shape.characters = kEncoderCharacters.size() + 1;
  shape.character_size = 5;
  shape.layers = 2;
  shape.hidden = 9;
  return shape;
}

inline const std::vector<std::string> kEncoderWords = {"the", "dog", "sees", "a", "cat"};
inline const std::vector<std::uint64_t> kEncoderCounts = {9, 5, 4, 2, 1};

// With the weights of the network that it is made of.
inline PretrainedEncoder made_up_encoder(std::vector<float>& weights, Spelling spelling = Spelling::affixes) {
  const NetworkShape shape = encoder_shape(kEncoderWords.size(), spelling);
  weights = initial_weights(shape, 20261118);
  Random random(20261118);
  const NetworkBlocks blocks(shape);
  for (std::size_t k = 0; k < blocks.word_table.size(); ++k)
    weights[blocks.word_table.offset + k] = random.normal();
  PretrainedEncoder encoder = PretrainedEncoder::from_network(
      shape, kEncoderWords, kEncoderCounts,
      shape.reads_characters() ? Vocabulary(kEncoderCharacters) : Vocabulary(), weights);
  encoder.add_fact("text", "made up");
  return encoder;
}

inline NamedSections encoder_sections(Spelling spelling = Spelling::affixes) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("copse_encoder_" + std::to_string(static_cast<long>(::getpid())));
  std::vector<float> ignored;
  made_up_encoder(ignored, spelling).save(path);
  const SectionFile file = SectionFile::open(path);
  NamedSections sections;
  for (const std::string_view name : file.names()) {
    const auto bytes = file.section(name);
    sections.emplace_back(std::string(name), std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  std::filesystem::remove(path);
  return sections;
}

// Sections are either refused with a DataError or are an encoder that a parser can begin with. Returns what
// went wrong, or nothing.
inline std::optional<std::string> encoder_violation(const NamedSections& sections) {
  try {
    const PretrainedEncoder encoder =
        PretrainedEncoder::from_file(SectionFile::from_bytes(forged_file(sections), "file"));
    NetworkShape shape;
    encoder.set_sizes(shape);
    shape.words = 3;
    shape.characters = encoder.shape().characters;
    shape.vector_size = encoder.vectors().dimension();
    std::vector<float> weights(NetworkBlocks(shape).size);
    encoder.set_weights(shape, weights);
    for (const float weight : weights) {
      if (!std::isfinite(weight)) return "a weight that is no number";
    }
    std::vector<float> values(shape.vector_size);
    for (std::size_t word = 0; word < encoder.vectors().size(); ++word) {
      encoder.vectors().copy_row(word, values);
      for (const float value : values) {
        if (!(std::abs(value) <= 3000.0F)) return "a vector that is too long";
      }
    }
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("file")) return "a message without the name: " + std::string(message);
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  }
  return std::nullopt;
}

}  // namespace copse::testing
