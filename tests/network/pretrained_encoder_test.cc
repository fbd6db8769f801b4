// Encoders learnt on plain text: parsers that begin with them read words as they did; files.
#include "network/pretrained_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "network/encoder_property.h"
#include "network/network_description.h"
#include "network/training_encoder.h"

namespace copse {
namespace {

Sentence sentence_of(const std::vector<std::string>& forms) {
  Sentence sentence;
  for (const std::string& form : forms) sentence.add_word(form);
  return sentence;
}

// The output of the encoder for a sentence.
std::vector<float> output_of(const NetworkShape& shape, const InputVocabularies& vocabularies,
                             const WordVectors* vectors, std::span<const float> weights,
                             const Sentence& sentence) {
  const NetworkBlocks blocks(shape);
  TrainingWeights packed(blocks);
  packed.assign(weights);
  TrainingEncoder encoder(shape, blocks, vectors);
  WordInputs inputs;
  InputReader(vocabularies, vectors, shape).append(sentence, inputs);
  Sequences sequences;
  sequences.add(inputs.rows());
  const ConstMatrix output = encoder.forward(inputs, sequences, packed, {});
  return {output.data, output.data + output.rows * output.columns};
}

// A parser whose treebank has other words than the text.
struct Parser {
  NetworkShape shape;
  InputVocabularies vocabularies;
  WordVectors vectors;
  std::vector<float> weights;

  explicit Parser(const PretrainedEncoder& encoder) : vectors(encoder.vectors()) {
    vocabularies.words = Vocabulary({"cat", "horse", "the"});
    vocabularies.characters = encoder.characters();
    encoder.set_sizes(shape);
    shape.arc_size = 8;
    shape.rank = 16;
    shape.vector_size = vectors.dimension();
    set_input_sizes(vocabularies, shape);
    weights = initial_weights(shape, 1);
    encoder.set_weights(shape, weights);
  }
};

class PretrainedEncoderTest : public ::testing::TestWithParam<Spelling> {};
INSTANTIATE_TEST_SUITE_P(Spellings, PretrainedEncoderTest,
                         ::testing::Values(Spelling::affixes, Spelling::both));

TEST_P(PretrainedEncoderTest, ParsersBeginWithWhatWasLearnt) {
  std::vector<float> weights;
  const PretrainedEncoder encoder = testing::made_up_encoder(weights, GetParam());
  const Parser parser(encoder);
  InputVocabularies vocabularies;
  vocabularies.words = Vocabulary(testing::kEncoderWords);
  vocabularies.characters = encoder.characters();
  // Known to both, to the text, to the treebank, to nobody; in upper case.
  const Sentence sentence = sentence_of({"The", "dog", "sees", "a", "horse", "CAT", "nobody", "knows"});
  const std::vector<float> expected =
      output_of(testing::encoder_shape(testing::kEncoderWords.size(), GetParam()), vocabularies, nullptr,
                weights, sentence);
  const std::vector<float> found =
      output_of(parser.shape, parser.vocabularies, &parser.vectors, parser.weights, sentence);
  ASSERT_EQ(found.size(), expected.size());
  double squares = 0.0;
  double errors = 0.0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    squares += static_cast<double>(expected[k]) * expected[k];
    errors += static_cast<double>(found[k] - expected[k]) * (found[k] - expected[k]);
  }
  // Vectors are stored in 8 bits.
  EXPECT_LT(std::sqrt(errors / squares), 0.01);
  EXPECT_GT(squares, 0.1);
}

TEST_P(PretrainedEncoderTest, NamesTheBlocksThatItSets) {
  std::vector<float> ignored;
  const PretrainedEncoder encoder = testing::made_up_encoder(ignored, GetParam());
  const Parser parser(encoder);
  const NetworkBlocks blocks(parser.shape);
  std::vector<float> before(blocks.size, 7.0F);
  encoder.set_weights(parser.shape, before);
  for (const Block* block : PretrainedEncoder::blocks_of(blocks)) {
    for (std::size_t k = 0; k < block->size(); ++k) {
      ASSERT_NE(before[block->offset + k], 7.0F) << block->name;
      before[block->offset + k] = 7.0F;
    }
  }
  EXPECT_EQ(before, std::vector<float>(blocks.size, 7.0F)) << "and no others";
}

TEST(PretrainedEncoder, RefusesNetworksThatItDoesNotFit) {
  std::vector<float> weights;
  const PretrainedEncoder encoder = testing::made_up_encoder(weights);
  Parser parser(encoder);
  NetworkShape other = parser.shape;
  other.hidden += 1;
  EXPECT_THROW(encoder.set_weights(other, parser.weights), std::invalid_argument);
  other = parser.shape;
  other.upos = 4;
  EXPECT_THROW(encoder.set_weights(other, parser.weights), std::invalid_argument);
  weights.pop_back();
  EXPECT_THROW(
      PretrainedEncoder::from_network(testing::encoder_shape(testing::kEncoderWords.size()),
                                      testing::kEncoderWords, testing::kEncoderCounts, Vocabulary(), weights),
      std::invalid_argument);
}

class EncoderFile : public TemporaryFolderTest, public ::testing::WithParamInterface<Spelling> {
 protected:
  EncoderFile() {
    std::vector<float> ignored;
    encoder_ = std::make_unique<PretrainedEncoder>(testing::made_up_encoder(ignored, GetParam()));
    encoder_->save(path("encoder"));
  }
  std::vector<std::byte>& section(std::string_view name) {
    for (auto& [own, bytes] : sections_) {
      if (own == name) return bytes;
    }
    throw std::invalid_argument("no such section");
  }
  static std::string refusal(const NamedSections& sections) {
    try {
      PretrainedEncoder::from_file(SectionFile::from_bytes(forged_file(sections), "file"));
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }

  std::unique_ptr<PretrainedEncoder> encoder_;
  NamedSections sections_ = testing::encoder_sections(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Spellings, EncoderFile, ::testing::Values(Spelling::affixes, Spelling::both));

TEST_P(EncoderFile, SaysTheSameAfterwards) {
  const PretrainedEncoder after = PretrainedEncoder::load(path("encoder"));
  EXPECT_EQ(after.fingerprint(), encoder_->fingerprint());
  EXPECT_EQ(after.shape().hidden, 9U);
  EXPECT_EQ(std::vector(after.counts().begin(), after.counts().end()), testing::kEncoderCounts);
  EXPECT_EQ(after.facts(), encoder_->facts());
  EXPECT_EQ(Parser(after).weights, Parser(*encoder_).weights);
  after.save(path("again"));
  EXPECT_TRUE(content(path("again")) == content(path("encoder")));
}

TEST_P(EncoderFile, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(sections_), "");
  for (std::size_t k = 0; k < sections_.size(); ++k) {  // without one of them, or half of it
    NamedSections sections = sections_;
    sections[k].second.resize(sections[k].second.size() / 2);
    EXPECT_TRUE(refusal(sections).starts_with("file")) << sections_[k].first;
    sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_TRUE(refusal(sections).starts_with("file")) << sections_[k].first;
  }
  const NamedSections sound = sections_;
  section("encoder/shape")[0] = std::byte{9};
  EXPECT_NE(refusal(sections_).find("another version"), std::string::npos);
  for (std::size_t place = 4; place < section("encoder/shape").size(); place += 4) {  // each of the sizes
    for (const std::uint32_t size : {0U, 5000U, 0xFFFFFFFFU}) {
      sections_ = sound;
      store_little_endian(size, section("encoder/shape").data() + place);
      EXPECT_NE(refusal(sections_), "") << place << ' ' << size;
    }
  }
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 1e4F}) {
    for (const char* name : {"encoder/root", "encoder/unknown", "encoder/weights/layer2/forward"}) {
      sections_ = sound;
      store_little_endian(value, section(name).data() + 4);
      EXPECT_NE(refusal(sections_).find("a weight that cannot be"), std::string::npos) << name;
    }
  }
  EXPECT_NE(refusal({{"settings", {}}}).find("`copse pretrain`"), std::string::npos);
}

TEST_P(EncoderFile, DamagedFilesAreRefusedOrUsable) {
  constexpr std::uint64_t kSeed = 20261119;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  for (int trial = 0; trial < 500; ++trial) {
    NamedSections sections = sections_;
    std::vector<std::byte>& bytes = sections[random.below(sections.size())].second;
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
      bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
    }
    const std::optional<std::string> violation = testing::encoder_violation(sections);
    ASSERT_FALSE(violation.has_value()) << *violation << ", trial " << trial;
  }
}

}  // namespace
}  // namespace copse
