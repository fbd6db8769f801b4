#include "vectors/word_vectors.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "inference/test_settings.h"
#include "model/model_property.h"
#include "vectors/vector_helpers.h"
#include "vectors/word_vectors_property.h"

namespace copse::testing {
namespace {

std::string temporary(const std::string& name) { return ::testing::TempDir() + "copse_vectors_" + name; }

TEST(WordVectors, FindsWordsByTheirBytes) {
  const WordVectors vectors = build_vectors({{"the", {1, 2}}, {"Ünder", {3, 4}}, {"a b", {0, 0}}});
  EXPECT_EQ(vectors.size(), 3U);
  EXPECT_EQ(vectors.dimension(), 2U);
  EXPECT_EQ(vectors.find("the"), 0U);
  EXPECT_EQ(vectors.find("Ünder"), 1U);
  EXPECT_EQ(vectors.find("a b"), 2U);
  for (const char* word : {"", "The", "th", "thee", "the\nÜnder", "ünder"}) EXPECT_FALSE(vectors.find(word));
  EXPECT_EQ(vectors.word(1), "Ünder");
  EXPECT_EQ(row_of(vectors, 2), (std::vector<float>{0, 0}));
  EXPECT_EQ(vectors.scale(2), 0.0F);
  EXPECT_TRUE(WordVectors().empty());
  EXPECT_FALSE(WordVectors().find("the"));
}

TEST(WordVectors, ManyWordsAreAllFound) {
  std::mt19937_64 random = case_generator(0);
  SCOPED_TRACE(case_name(0));
  const NamedVectors rows = random_vectors(random, 5000, 3);
  const WordVectors vectors = build_vectors(rows);
  for (std::size_t number = 0; number < rows.size(); ++number) {
    ASSERT_EQ(vectors.find(rows[number].first), number);
    ASSERT_EQ(vectors.word(number), rows[number].first);
  }
}

// Rounding moves a value by half a step, and a step is the largest value over 127.
TEST(WordVectors, QuantisationErrorIsBounded) {
  for (int number = 0; number < scaled(50); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const NamedVectors rows = random_vectors(random, 20, 1 + random() % 130);
    const WordVectors vectors = build_vectors(rows);
    for (std::size_t word = 0; word < rows.size(); ++word) {
      float largest = 0.0F;
      for (const float value : rows[word].second) largest = std::max(largest, std::abs(value));
      const std::vector<float> found = row_of(vectors, word);
      for (std::size_t k = 0; k < found.size(); ++k) {
        ASSERT_LE(std::abs(found[k] - rows[word].second[k]), largest / 127 * 0.5001F);
      }
      EXPECT_EQ(vectors.row(word).size(), vectors.dimension());
    }
  }
}

TEST(WordVectors, TinyAndLargeValues) {
  const WordVectors vectors = build_vectors({{"tiny", {1e-44F, -1e-40F}}, {"large", {1e15F, -5e14F}}});
  EXPECT_NEAR(row_of(vectors, 0)[1], 0.0F, 2e-36F);
  EXPECT_FLOAT_EQ(row_of(vectors, 1)[0], 1e15F);
}

TEST(WordVectors, AWordComesOnce) {
  WordVectorsBuilder builder(1);
  EXPECT_TRUE(builder.add("a", std::vector<float>{1}));
  EXPECT_FALSE(builder.add("a", std::vector<float>{2}));
  EXPECT_EQ(builder.size(), 1U);
  EXPECT_EQ(row_of(builder.build(), 0)[0], 1.0F);
  EXPECT_THROW(WordVectorsBuilder(0), std::invalid_argument);
  EXPECT_THROW(WordVectorsBuilder(WordVectors::kMostDimension + 1), std::invalid_argument);
}

TEST(WordVectors, TruncationSharesAndForgets) {
  std::mt19937_64 random = case_generator(1);
  const WordVectors vectors = build_vectors(random_vectors(random, 100, 7));
  const WordVectors few = vectors.truncated(10);
  EXPECT_EQ(few.size(), 10U);
  EXPECT_EQ(few.row(3).data(), vectors.row(3).data());
  EXPECT_EQ(few.find(vectors.word(9)), 9U);
  EXPECT_FALSE(few.find(vectors.word(10)));
  EXPECT_EQ(vectors.truncated(1000).size(), 100U);
  EXPECT_EQ(few.truncated(20).size(), 10U);
}

std::size_t section_bytes(const SectionFile& file) {
  std::size_t bytes = 0;
  for (const char* name : {"vectors/words", "vectors/codes", "vectors/scales"}) {
    bytes += file.section(name).size();
  }
  return bytes;
}

TEST(WordVectors, AsManyWordsAsBytesAllow) {
  std::mt19937_64 random = case_generator(2);
  const WordVectors vectors = build_vectors(random_vectors(random, 200, 9));
  const std::string path = temporary("bytes");
  for (const std::size_t count : {0U, 1U, 57U, 200U}) {
    vectors.truncated(count).save(path);
    const std::size_t bytes = section_bytes(SectionFile::open(path));
    EXPECT_EQ(vectors.words_within(bytes), count);
    if (count > 0) {
      EXPECT_EQ(vectors.words_within(bytes - 1), count - 1);
    }
  }
  EXPECT_EQ(vectors.words_within(std::size_t{1} << 40), 200U);
  std::filesystem::remove(path);
}

TEST(WordVectors, SectionsHoldEverything) {
  std::mt19937_64 random = case_generator(3);
  WordVectors vectors = build_vectors(random_vectors(random, 50, 11)).truncated(40);
  vectors.add_fact("text", "made up");
  const std::string path = temporary("sections");
  {
    SectionFileWriter file(path);
    file.add("other", std::string_view("x"));
    vectors.add_to(file, "network/vectors");
    file.close();
  }
  const WordVectors found = [&] {
    const SectionFile file = SectionFile::open(path);
    EXPECT_TRUE(WordVectors::is_in(file, "network/vectors"));
    EXPECT_FALSE(WordVectors::is_in(file));
    EXPECT_THROW(WordVectors::from_file(file), DataError);
    return WordVectors::from_file(file, "network/vectors");
  }();  // the bytes outlive the file
  std::filesystem::remove(path);
  ASSERT_EQ(found.size(), 40U);
  EXPECT_EQ(found.dimension(), 11U);
  EXPECT_EQ(found.facts(), vectors.facts());
  for (std::size_t number = 0; number < found.size(); ++number) {
    EXPECT_EQ(found.word(number), vectors.word(number));
    EXPECT_TRUE(std::ranges::equal(found.row(number), vectors.row(number)));
    EXPECT_EQ(found.scale(number), vectors.scale(number));
  }
  EXPECT_EQ(vectors_use_violation(found), std::nullopt);
}

NamedSections sections_of(const WordVectors& vectors) {
  const std::string path = temporary("damage");
  vectors.save(path);
  NamedSections sections;
  {
    const SectionFile file = SectionFile::open(path);
    for (const std::string_view name : file.names()) {
      const auto bytes = file.section(name);
      sections.emplace_back(std::string(name), std::vector<std::byte>(bytes.begin(), bytes.end()));
    }
  }
  std::filesystem::remove(path);
  return sections;
}

std::optional<std::string> forged_violation(const NamedSections& sections) {
  return vector_reader_violation(std::string(as_text(forged_file(sections))));
}

std::string refusal(const NamedSections& sections) {
  try {
    read_vectors(open_memory(std::string(as_text(forged_file(sections)))), "file");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(WordVectors, SectionsThatDoNotFitAreRefused) {
  const NamedSections sound = sections_of(build_vectors({{"a", {1, 2}}, {"b", {3, 4}}}));
  ASSERT_EQ(refusal(sound), "accepted");
  const auto changed = [&](std::size_t section, const auto& change) {
    NamedSections sections = sound;
    change(sections[section].second);
    return refusal(sections);
  };
  using Bytes = std::vector<std::byte>;
  const auto text = [](std::string_view words) {
    const auto bytes = std::as_bytes(std::span(words));
    return [bytes](Bytes& to) { to.assign(bytes.begin(), bytes.end()); };
  };
  const auto u32 = [](std::size_t at, std::uint32_t value) {
    return [=](Bytes& to) { store_little_endian(value, to.data() + at); };
  };
  const auto contains = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  contains(changed(0, u32(0, 9)), "another version");
  contains(changed(0, u32(4, 5000)), "impossible dimension");
  contains(changed(0, u32(4, 0)), "without values");
  contains(changed(0, u32(4, 3)), "another number of values");
  contains(changed(0, u32(8, 0xFFFFFFFF)), "another number of values");
  contains(changed(0, u32(8, 0)), "another number of values");
  contains(changed(1, text("a\na\n")), "'a' twice");
  contains(changed(1, text("a\nb")), "ends within a word");
  contains(changed(1, text("a\n\n")), "is empty");
  contains(changed(1, text("a\nb\nc\n")), "another number of words");
  contains(changed(1, text("a\n\xFF\n")), "not valid UTF-8");
  contains(changed(2, [](Bytes& to) { to.pop_back(); }), "another number of values");
  contains(changed(3, [](Bytes& to) { to.resize(4); }), "another number of values");
  contains(changed(3, u32(0, 0x7FC00000)), "cannot be");
  contains(changed(3, u32(0, 0x7F7FFFFF)), "cannot be");
  contains(changed(3, u32(0, 0xBF800000)), "cannot be");
}

TEST(WordVectors, RandomDamageIsRefusedOrHarmless) {
  std::mt19937_64 random = case_generator(4);
  const NamedSections sound = sections_of(build_vectors(random_vectors(random, 12, 5)));
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    NamedSections sections = sound;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      std::vector<std::byte>& bytes = sections[random() % sections.size()].second;
      if (bytes.empty()) continue;
      if (random() % 4 == 0)
        bytes.resize(random() % bytes.size());
      else
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    const std::optional<std::string> violation = forged_violation(sections);
    ASSERT_EQ(violation, std::nullopt) << *violation;
  }
}

}  // namespace
}  // namespace copse::testing
