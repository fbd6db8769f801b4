#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/section_file.h"
#include "network/parameters.h"
#include "network/vocabulary.h"
#include "vectors/word_vectors.h"

namespace copse {

// The lower part of a network, learnt on plain text by guessing hidden words, for networks of parsers to
// begin with: how words are read, and the layers above. Only sizes of input and encoder count in its shape.
//
// Its words become word vectors of the parser, relative to the unknown word: that one is the bias then, so
// that words without a vector are what unknown words were.
class PretrainedEncoder {
 public:
  // Of a network that guesses words, which are numbered from 1; counts say how often they came.
  static PretrainedEncoder from_network(const NetworkShape& shape, std::span<const std::string> words,
                                        std::span<const std::uint64_t> counts, const Vocabulary& characters,
                                        std::span<const float> weights);

  const NetworkShape& shape() const { return shape_; }
  const WordVectors& vectors() const { return vectors_; }
  std::span<const std::uint64_t> counts() const { return counts_; }
  // That words are read by, if they are: a parser has the same.
  const Vocabulary& characters() const { return characters_; }
  // How it was made.
  const WordVectors::Facts& facts() const { return vectors_.facts(); }
  void add_fact(std::string key, std::string text) { vectors_.add_fact(std::move(key), std::move(text)); }

  // Sets sizes of a parser's shape that are not the encoder's to decide for others.
  void set_sizes(NetworkShape& shape) const;
  // Sets the weights that a parser begins with, where the encoder says something about them. Its shape has
  // the sizes of the encoder, and vectors of words.
  void set_weights(const NetworkShape& shape, std::span<float> weights) const;
  // The blocks of a parser that these are.
  static std::vector<const Block*> blocks_of(const NetworkBlocks& parser);

  // Sections "encoder/...". Loading throws DataError for sections that are missing, damaged, of another
  // version, or do not fit each other.
  void save(const std::string& path) const;
  void add_to(SectionFileWriter& file) const;
  static PretrainedEncoder load(const std::string& path);
  static PretrainedEncoder from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  // Of all weights.
  std::uint64_t fingerprint() const;

 private:
  struct Weights {
    std::string name;  // of the block
    std::vector<float> values;
  };
  PretrainedEncoder() = default;
  std::span<const float> weights_of(std::string_view block) const;

  NetworkShape shape_;
  WordVectors vectors_;
  std::vector<std::uint64_t> counts_;
  Vocabulary characters_;
  std::vector<float> unknown_;  // what unknown words are
  std::vector<float> root_;
  std::vector<Weights> weights_;
};

}  // namespace copse
