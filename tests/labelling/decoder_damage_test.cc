#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "labelling/decoder_property.h"
#include "labelling/decoder_seeds.h"

namespace copse::testing {
namespace {

int cases() {
  const char* scale = std::getenv("COPSE_TEST_SCALE");
  return static_cast<int>(2000 * (scale == nullptr ? 1.0 : std::atof(scale)));
}

std::uint64_t seed() {
  const char* text = std::getenv("COPSE_TEST_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

// Some bytes changed, cut out or repeated.
std::vector<std::byte> damaged(std::vector<std::byte> bytes, std::mt19937_64& random) {
  for (std::uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size());
    switch (random() % 5) {
      case 0:
        *place = static_cast<std::byte>(random());
        break;
      case 1:
        *place ^= static_cast<std::byte>(1U << random() % 8);
        break;
      case 2:
        *place = random() % 2 == 0 ? std::byte{0} : std::byte{0xFF};
        break;
      case 3:
        bytes.erase(place);
        break;
      default:
        bytes.insert(place, *place);
    }
  }
  return bytes;
}

template <class Violation>
void expect_refused_or_usable(std::string_view name, const std::vector<std::byte>& seed_bytes,
                              Violation violation) {
  SCOPED_TRACE(std::string(name) + ", COPSE_TEST_SEED=" + std::to_string(seed()));
  ASSERT_EQ(violation(seed_bytes), std::nullopt);
  std::mt19937_64 random(seed());
  for (int number = 0; number < cases(); ++number) {
    const std::optional<std::string> found = violation(damaged(seed_bytes, random));
    ASSERT_EQ(found, std::nullopt) << "case " << number;
  }
}

TEST(DecoderDamage, DecodersRefuseOrWork) {
  for (std::size_t decoder = 0; decoder < kDecoders.size(); ++decoder) {
    expect_refused_or_usable(
        kDecoders[decoder], decoder_seed(decoder),
        [&](const std::vector<std::byte>& bytes) { return decoder_violation(decoder, bytes); });
  }
}

TEST(DecoderDamage, ComponentsRefuseOrWork) {
  for (std::size_t component = 0; component < kComponents.size(); ++component) {
    expect_refused_or_usable(
        kComponents[component], component_seed(component),
        [&](const std::vector<std::byte>& bytes) { return component_violation(component, bytes); });
  }
}

// The seeds are whole: nothing of what follows would be reached otherwise.
TEST(DecoderDamage, SeedsAreAccepted) {
  for (std::size_t component = 0; component < kComponents.size(); ++component) {
    EXPECT_NO_THROW({
      const SectionFile file =
          SectionFile::from_bytes(component_file(component, component_seed(component)), "file");
      if (component == 0) TaggerModel::from_file(file);
      if (component == 1) SegmenterModel::from_file(file);
      if (component == 2) LabellerModel::from_file(file);
      if (component == 3) LabelModel::load(file, "labels");
      if (component == 4) RootLabels::from_file(file, "root", kSeedLabels);
    });
  }
}

// A unit that is zero as a float made weights that are no numbers.
TEST(DecoderDamage, UnitsThatAreTooSmallAreRefused) {
  ByteWriter writer;
  writer.f64(1e-300);
  const std::vector<Label> labels = {1};
  const std::vector<std::int8_t> weights = {5};
  for (int k = 0; k < 3; ++k) writer.numbers(std::span<const Label>(labels));
  writer.numbers(std::span<const std::int8_t>(weights));
  ByteReader reader(writer.bytes(), "bytes");
  EXPECT_THROW(TransitionWeights::load(reader, 2), DataError);
}

// The same label twice in a list would have two probabilities.
TEST(DecoderDamage, CandidatesMustRise) {
  for (const std::vector<Label>& others : {std::vector<Label>{1, 1}, {2, 1}}) {
    CandidateLabels candidates;
    candidates.others = others;
    ByteWriter writer;
    candidates.save(writer);
    ByteReader reader(writer.bytes(), "bytes");
    EXPECT_THROW(CandidateLabels::load(reader, 3), DataError);
  }
}

}  // namespace
}  // namespace copse::testing
