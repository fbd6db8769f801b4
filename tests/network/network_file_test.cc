// A network in a file is the same network; damaged ones are refused or can be used.
#include <gtest/gtest.h>

#include <cstring>

#include "network/network_property.h"

namespace copse {
namespace {

using testing::made_up_description;
using testing::odd_shape;

std::size_t place_of(const NamedSections& sections, std::string_view name) {
  for (std::size_t k = 0; k < sections.size(); ++k) {
    if (sections[k].first == name) return k;
  }
  throw std::invalid_argument("no such section");
}

Network from_sections(const NamedSections& sections) {
  return Network::from_file(SectionFile::from_bytes(forged_file(sections)));
}

std::string refusal(const NamedSections& sections) {
  try {
    from_sections(sections);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

// Of all parts of a sentence, one number after the other.
std::vector<double> part_scores(NetworkPass& pass, ConstMatrix roles, int words) {
  ArcSet arcs;
  arcs.assign_all(words);
  PartIndex parts;
  parts.assign(arcs, pass.network().shape().factorization);
  Potentials potentials;
  potentials.assign(parts);
  pass.add_part_scores(roles, parts, potentials);
  std::vector<double> all;
  for (const PartKind kind : kAllPartKinds) {
    all.insert(all.end(), potentials[kind].begin(), potentials[kind].end());
  }
  return all;
}

TEST(NetworkFile, SaysTheSameAfterwards) {
  for (int number = 0; number < 3 * kFactorizationCount; ++number) {
    const auto factorization = static_cast<Factorization>(number / 3);
    const auto spelling = static_cast<Spelling>(number % 3);
    SCOPED_TRACE(std::string(name(factorization)) + " " + std::to_string(number % 3));
    const NetworkShape shape = odd_shape(factorization, spelling);
    const Network before = testing::made_up_network(shape);
    const Network after = from_sections(network_sections(spelling, factorization));
    EXPECT_EQ(after.description().labels, before.description().labels);
    ASSERT_EQ(after.description().tags.size(), 2U);
    EXPECT_EQ(after.description().tags[1].column, Row::kFeats);
    EXPECT_EQ(after.description().tags[1].place.begin, 4U);
    EXPECT_EQ(after.blocks().size, before.blocks().size);
    NetworkPass one(before);
    NetworkPass other(after);
    Random random(2);
    const std::vector<Sentence> sentences = {testing::made_up_sentence(random, 9)};
    const EncodedSentences of_one = testing::encode(one, sentences);
    const EncodedSentences of_other = testing::encode(other, sentences);
    const ConstMatrix expected = one.arc_scores(of_one.roles(0));
    const ConstMatrix found = other.arc_scores(of_other.roles(0));
    EXPECT_EQ(std::memcmp(expected.data, found.data, 100 * sizeof(float)), 0);
    EXPECT_EQ(part_scores(one, of_one.roles(0), 9), part_scores(other, of_other.roles(0), 9));
  }
}

TEST(NetworkFile, RefusesWeightsThatAreNoNumbers) {
  NetworkDescription description = made_up_description(odd_shape(Factorization::first));
  std::vector<float> weights = testing::made_up_weights(description.shape, 1);
  weights[weights.size() / 2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(Network(description, weights), DataError);
  weights[weights.size() / 2] = 1e5F;
  EXPECT_THROW(Network(description, weights), DataError);
}

TEST(NetworkFile, SaysWhatIsWrong) {
  const NamedSections sound = network_sections(Spelling::affixes);
  EXPECT_EQ(refusal(sound), "");
  for (std::size_t k = 0; k < sound.size(); ++k) {  // without one of them
    const std::string& name = sound[k].first;
    // Where there are no values of tags, there is no such section; but then there are too few.
    NamedSections sections = sound;
    sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_NE(refusal(sections), "") << name;
  }
  NamedSections sections = sound;
  sections[place_of(sound, "network/shape")].second[0] = std::byte{9};
  EXPECT_NE(refusal(sections).find("another version"), std::string::npos) << refusal(sections);
  sections = sound;
  sections[place_of(sound, "network/roles.bias")].second.resize(8);
  EXPECT_NE(refusal(sections).find("'network/roles.bias' have another size"), std::string::npos)
      << refusal(sections);
}

// Bytes that change, sections that end too early or are exchanged for others.
TEST(NetworkFile, DamageIsRefusedOrHarmless) {
  Random random(20261116);
  for (const Spelling spelling : {Spelling::affixes, Spelling::characters, Spelling::both}) {
    const NamedSections sound = network_sections(spelling);
    for (int trial = 0; trial < 400; ++trial) {
      NamedSections sections = sound;
      auto& [name, bytes] = sections[random.below(sections.size())];
      const std::uint64_t kind = random.below(4);
      if (kind == 0) {
        bytes.resize(random.below(bytes.size() + 1));
      } else if (kind == 1) {
        bytes = sound[random.below(sound.size())].second;
      } else {
        for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !bytes.empty(); --changes) {
          bytes[random.below(bytes.size())] = static_cast<std::byte>(random.bits());
        }
      }
      const auto violation = network_violation(sections);
      EXPECT_FALSE(violation) << *violation << "; trial " << trial << ", section " << name;
      if (violation) return;
    }
  }
  // All that a description consists of, byte by byte: sizes are small numbers.
  const NamedSections sound = network_sections(Spelling::affixes);
  const std::size_t shape = place_of(sound, "network/shape");
  for (std::size_t k = 0; k < sound[shape].second.size(); ++k) {
    for (const int value : {0, 1, 2, 15, 17, 128, 255}) {
      NamedSections sections = sound;
      sections[shape].second[k] = static_cast<std::byte>(value);
      const auto violation = network_violation(sections);
      EXPECT_FALSE(violation) << *violation << "; byte " << k << " is " << value;
    }
  }
}

}  // namespace
}  // namespace copse
