#include "network/pretrained_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "copse/error.h"
#include "features/hashing.h"

namespace copse {
namespace {

constexpr std::uint32_t kEncoderVersion = 1;
constexpr std::uint32_t kSpellingVersion = 2;  // of encoders that read characters, too
constexpr const char* kEncoderShapeSection = "encoder/shape";
constexpr const char* kCountSection = "encoder/counts";
constexpr const char* kCharacterSection = "encoder/characters";
constexpr const char* kUnknownSection = "encoder/unknown";
constexpr const char* kRootSection = "encoder/root";
constexpr const char* kEncoderVectorPrefix = "encoder/vectors";

std::string section_of(std::string_view block) { return fmt::format("encoder/weights/{}", block); }

// Sizes that a file says, and the largest that are possible.
struct EncoderSize {
  std::size_t NetworkShape::*size;
  std::size_t least;
  std::size_t most;
};
constexpr std::size_t kMostEncoderSize = 4096;
constexpr std::array kEncoderSizes = {
    EncoderSize{&NetworkShape::word_size, 1, kMostEncoderSize},
    EncoderSize{&NetworkShape::affix_rows, 2, std::size_t{1} << 24},
    EncoderSize{&NetworkShape::affix_size, 1, kMostEncoderSize},
    EncoderSize{&NetworkShape::spelling_size, 1, kMostEncoderSize},
    EncoderSize{&NetworkShape::layers, 1, 9},
    EncoderSize{&NetworkShape::hidden, 1, kMostEncoderSize},
};

// The blocks that mean the same in all networks with such an encoder.
std::vector<const Block*> common_blocks(const NetworkBlocks& blocks) {
  std::vector<const Block*> common = blocks.all();
  std::erase_if(common, [](const Block* block) { return block->from_encoder != FromEncoder::same; });
  return common;
}

// A network that has the encoder, and next to nothing else.
NetworkBlocks smallest_blocks(NetworkShape shape) {
  shape.guesses_words = true;
  shape.words = 2;
  return NetworkBlocks(shape);
}

// The most that networks can be stored with; see QuantisedWeights.
constexpr float kLargest = 1000.0F;

std::vector<float> read_weights(const SectionFile& file, const std::string& section, std::size_t size) {
  const auto values = file.numbers<float>(section);
  if (values.size() != size) file.reader(section).fail("has another number of weights than it should");
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::abs(v) <= kLargest; })) {
    file.reader(section).fail("has a weight that cannot be");
  }
  return {values.begin(), values.end()};
}

}  // namespace

PretrainedEncoder PretrainedEncoder::from_network(const NetworkShape& shape,
                                                  std::span<const std::string> words,
                                                  std::span<const std::uint64_t> counts,
                                                  const Vocabulary& characters,
                                                  std::span<const float> weights) {
  const NetworkBlocks blocks(shape);
  const std::size_t units = shape.reads_characters() ? characters.size() : 0;
  if (shape.spelling == Spelling::characters || shape.characters != units ||
      blocks.word_table.rows != words.size() + 2 || counts.size() != words.size() ||
      weights.size() != blocks.size) {
    throw std::invalid_argument("not the weights of an encoder of these words");
  }
  PretrainedEncoder encoder;
  for (const EncoderSize& stored : kEncoderSizes) encoder.shape_.*stored.size = shape.*stored.size;
  encoder.shape_.spelling = shape.spelling;
  encoder.shape_.character_size = shape.character_size;
  encoder.shape_.characters = shape.characters;
  encoder.characters_ = characters;
  const ConstMatrix table = blocks.word_table.in(weights);
  encoder.unknown_.assign(table.row(0), table.row(0) + table.columns);
  encoder.root_.assign(table.row(table.rows - 1), table.row(table.rows - 1) + table.columns);
  encoder.counts_.assign(counts.begin(), counts.end());
  WordVectorsBuilder vectors(table.columns);
  std::vector<float> values(table.columns);
  for (std::size_t word = 0; word < words.size(); ++word) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = table.row(word + 1)[k] - encoder.unknown_[k];
    }
    vectors.add(words[word], values);
  }
  encoder.vectors_ = vectors.build();
  for (const Block* block : common_blocks(blocks)) {
    const std::span<const float> own = weights.subspan(block->offset, block->size());
    encoder.weights_.push_back({block->name, {own.begin(), own.end()}});
  }
  return encoder;
}

std::span<const float> PretrainedEncoder::weights_of(std::string_view block) const {
  const auto found =
      std::find_if(weights_.begin(), weights_.end(), [&](const Weights& own) { return own.name == block; });
  return found->values;
}

void PretrainedEncoder::set_sizes(NetworkShape& shape) const {
  for (const EncoderSize& stored : kEncoderSizes) shape.*stored.size = shape_.*stored.size;
  shape.spelling = shape_.spelling;
  shape.character_size = shape_.character_size;
}

void PretrainedEncoder::set_weights(const NetworkShape& shape, std::span<float> weights) const {
  const NetworkBlocks blocks(shape);
  const bool fits = shape.spelling == shape_.spelling && shape.characters == shape_.characters &&
                    shape.character_size == shape_.character_size && shape.vector_size == shape.word_size &&
                    std::all_of(kEncoderSizes.begin(), kEncoderSizes.end(), [&](const EncoderSize& stored) {
                      return shape.*stored.size == shape_.*stored.size;
                    });
  if (!fits || shape.tags_size() > 0 || weights.size() != blocks.size) {
    throw std::invalid_argument("a network that the encoder does not fit");
  }
  for (const Block* block : common_blocks(blocks)) {
    const std::span<const float> own = weights_of(block->name);
    std::copy(own.begin(), own.end(), weights.begin() + static_cast<std::ptrdiff_t>(block->offset));
  }
  const Matrix vector_weights = blocks.vectors.weights.in(weights);
  for (std::size_t row = 0; row < vector_weights.rows; ++row) {
    std::fill_n(vector_weights.row(row), vector_weights.columns, 0.0F);
    vector_weights.row(row)[row] = 1.0F;
  }
  std::copy(unknown_.begin(), unknown_.end(),
            weights.begin() + static_cast<std::ptrdiff_t>(blocks.vectors.bias.offset));
  const Matrix words = blocks.word_table.in(weights);
  std::fill_n(words.data, blocks.word_table.size(), 0.0F);
  float* root = words.row(words.rows - 1);
  for (std::size_t k = 0; k < words.columns; ++k) root[k] = root_[k] - unknown_[k];
}

std::vector<const Block*> PretrainedEncoder::blocks_of(const NetworkBlocks& parser) {
  std::vector<const Block*> blocks = parser.all();
  std::erase_if(blocks, [](const Block* block) { return block->from_encoder == FromEncoder::nothing; });
  return blocks;
}

void PretrainedEncoder::save(const std::string& path) const {
  SectionFileWriter file(path);
  add_to(file);
  file.close();
}

void PretrainedEncoder::add_to(SectionFileWriter& file) const {
  ByteWriter writer;
  writer.u32(shape_.reads_characters() ? kSpellingVersion : kEncoderVersion);
  for (const EncoderSize& stored : kEncoderSizes) writer.u32(static_cast<std::uint32_t>(shape_.*stored.size));
  if (shape_.reads_characters()) writer.u32(static_cast<std::uint32_t>(shape_.character_size));
  file.add(kEncoderShapeSection, writer.take());
  if (shape_.reads_characters()) characters_.add_to(file, kCharacterSection);
  vectors_.add_to(file, kEncoderVectorPrefix);
  file.add_numbers(kCountSection, counts_);
  file.add_numbers(kUnknownSection, unknown_);
  file.add_numbers(kRootSection, root_);
  for (const Weights& own : weights_) file.add_numbers(section_of(own.name), own.values);
}

bool PretrainedEncoder::is_in(const SectionFile& file) { return file.has(kEncoderShapeSection); }

PretrainedEncoder PretrainedEncoder::load(const std::string& path) {
  return from_file(SectionFile::open(path));
}

PretrainedEncoder PretrainedEncoder::from_file(const SectionFile& file) {
  if (!is_in(file)) {
    throw DataError(file.path() + ": is no encoder; make one with `copse pretrain`");
  }
  ByteReader reader = file.reader(kEncoderShapeSection);
  const std::uint32_t version = reader.u32();
  if (version != kEncoderVersion && version != kSpellingVersion) reader.fail("is of another version");
  PretrainedEncoder encoder;
  for (const EncoderSize& stored : kEncoderSizes) {
    encoder.shape_.*stored.size = reader.u32();
    if (encoder.shape_.*stored.size < stored.least || encoder.shape_.*stored.size > stored.most) {
      reader.fail("has an impossible size");
    }
  }
  if (version == kSpellingVersion) {
    encoder.shape_.spelling = Spelling::both;
    encoder.shape_.character_size = reader.u32();
    if (encoder.shape_.character_size < 1 || encoder.shape_.character_size > kMostEncoderSize ||
        encoder.shape_.spelling_size % 2 != 0) {
      reader.fail("has an impossible size");
    }
    encoder.characters_ = Vocabulary::from_file(file, kCharacterSection);
    if (encoder.characters_.empty()) reader.fail("has no characters");
    encoder.shape_.characters = encoder.characters_.size();
  }
  reader.expect_end();
  encoder.vectors_ = WordVectors::from_file(file, kEncoderVectorPrefix);
  if (encoder.vectors_.dimension() != encoder.shape_.word_size || encoder.vectors_.empty()) {
    reader.fail("has no words, or words of another size");
  }
  for (std::size_t word = 0; word < encoder.vectors_.size(); ++word) {
    // A word and the unknown one, from which it is counted.
    if (encoder.vectors_.scale(word) * WordVectors::kLargestCode > 2.0F * kLargest) {
      reader.fail("has word vectors that are too long");
    }
  }
  const auto counts = file.numbers<std::uint64_t>(kCountSection);
  if (counts.size() != encoder.vectors_.size()) {
    file.reader(kCountSection).fail("has another number of counts than there are words");
  }
  encoder.counts_.assign(counts.begin(), counts.end());
  encoder.unknown_ = read_weights(file, kUnknownSection, encoder.shape_.word_size);
  encoder.root_ = read_weights(file, kRootSection, encoder.shape_.word_size);
  const NetworkBlocks blocks = smallest_blocks(encoder.shape_);
  for (const Block* block : common_blocks(blocks)) {
    encoder.weights_.push_back({block->name, read_weights(file, section_of(block->name), block->size())});
  }
  return encoder;
}

std::uint64_t PretrainedEncoder::fingerprint() const {
  std::uint64_t hash = 0;
  const auto add = [&hash](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    hash = mix(hash + hash_text(as_text(bytes)));
  };
  add(unknown_);
  add(root_);
  for (const Weights& own : weights_) add(own.values);
  for (std::uint32_t number = 1; number < characters_.size(); ++number) {
    hash = mix(hash + hash_text(characters_[number]));
  }
  for (std::size_t word = 0; word < vectors_.size(); ++word) {
    hash = mix(hash + hash_text(vectors_.word(word)) + hash_text(as_text(std::as_bytes(vectors_.row(word)))));
  }
  return hash;
}

}  // namespace copse
