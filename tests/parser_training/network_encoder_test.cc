// Networks of parsers that begin with an encoder: it is really there, and learns at its own rate.
#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "parser_training/network_trainer.h"
#include "parser_training/toy_training.h"

namespace copse {
namespace {

class NetworkEncoderTest : public TemporaryFolderTest, public ::testing::WithParamInterface<Spelling> {
 protected:
  NetworkEncoderTest() {
    NetworkShape shape;
    shape.guesses_words = true;
    shape.word_size = 12;
    shape.affix_rows = 50;
    shape.affix_size = 4;
    shape.spelling_size = 8;
    shape.spelling = GetParam();
    Vocabulary characters;
    if (shape.reads_characters()) {
      characters = Vocabulary({"e", "h", "i", "s"});
      shape.characters = characters.size();
    }
    shape.layers = 2;
    shape.hidden = 16;
    const std::vector<std::string> words = {"sees", "finds", "the", "with"};
    shape.words = words.size() + 2;
    network_.encoder = PretrainedEncoder::from_network(shape, words, std::vector<std::uint64_t>{4, 3, 2, 1},
                                                       characters, initial_weights(shape, 77));
    network_.encoder->set_sizes(network_.shape);
    network_.vectors = network_.encoder->vectors();
    network_.shape.arc_size = 16;
    network_.shape.label_size = 8;
    network_.shape.rank = 16;
    network_.batch_words = 60;
    network_.precision = Precision::float32;
  }

  ParserModel train(float encoder_rate) {
    TrainingOptions options = testing::toy_options(LearnerKind::lbfgs, Factorization::sibling);
    options.iterations = 2;
    network_.encoder_rate = encoder_rate;
    TaskPool pool(1);
    testing::Listener nobody;
    return train_network(sentences_, {}, options, network_, {}, pool, nobody);
  }

  // Sections of its weights whose name has `part` in it.
  std::vector<std::string> sections(const Network& network, std::string_view part) const {
    SectionFileWriter writer(path("network"));
    network.add_to(writer);
    writer.close();
    const SectionFile file = SectionFile::open(path("network"));
    std::vector<std::string> found;
    for (const std::string_view name : file.names()) {
      if (name.find(part) != std::string_view::npos) found.emplace_back(file.text(name));
    }
    return found;
  }

  std::vector<Sentence> sentences_ = testing::toy_sentences(40, 1);
  NetworkOptions network_;
};

INSTANTIATE_TEST_SUITE_P(Spellings, NetworkEncoderTest, ::testing::Values(Spelling::affixes, Spelling::both));

TEST_P(NetworkEncoderTest, BeginsWithItAndLearnsAtItsRate) {
  const ParserModel frozen = train(0.0F);
  const ParserModel learnt = train(0.5F);
  const NetworkDescription& description = frozen.network()->description();
  ASSERT_TRUE(description.vectors.has_value());
  EXPECT_EQ(description.vectors->size(), 4U);
  for (std::size_t word = 0; word < 4; ++word) {  // as they are: another scale would be another input
    EXPECT_EQ(description.vectors->scale(word), network_.vectors->scale(word));
  }
  std::vector<float> weights = initial_weights(description.shape, 5);
  network_.encoder->set_weights(description.shape, weights);
  const Network expected(description, weights);
  // Averages of tables are rounded; those of other weights that stay what they are, are not.
  std::vector<const char*> parts = {"layer1", "layer2", "network/affixes", "network/vectors"};
  if (GetParam() == Spelling::both) {
    parts.push_back("network/spelling");
    EXPECT_EQ(description.inputs.characters.size(), 5U) << "those of the encoder";
  }
  for (const char* part : parts) {
    const std::vector<std::string> begin = sections(expected, part);
    ASSERT_GE(begin.size(), 1U) << part;
    EXPECT_TRUE(sections(*frozen.network(), part) == begin) << part;
    EXPECT_FALSE(sections(*learnt.network(), part) == begin) << part;
  }
  EXPECT_FALSE(sections(*frozen.network(), "roles") == sections(expected, "roles")) << "these learn";
}

}  // namespace
}  // namespace copse
