#include "vectors/vector_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "copse/error.h"
#include "inference/test_settings.h"
#include "io/compress_helpers.h"
#include "vectors/vector_helpers.h"
#include "vectors/word_vectors_property.h"

namespace copse::testing {
namespace {

constexpr const char* kRows = "the 1 -0.5 0.25\nof 0.5 1e-1 -1\nund\u00DF 0 0 2\n";

void expect_rows(const WordVectors& vectors) {
  ASSERT_EQ(vectors.size(), 3U);
  ASSERT_EQ(vectors.dimension(), 3U);
  EXPECT_EQ(vectors.word(0), "the");
  EXPECT_EQ(vectors.word(2), "und\u00DF");
  const NamedVectors expected = {
      {"", {1.0F, -0.5F, 0.25F}}, {"", {0.5F, 0.1F, -1.0F}}, {"", {0.0F, 0.0F, 2.0F}}};
  for (std::size_t number = 0; number < 3; ++number) {
    const std::vector<float> found = row_of(vectors, number);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[number].second[k], 2.0 / 127 / 2);
  }
}

NamedVectors rows() { return {{"the", {1, -0.5, 0.25}}, {"of", {0.5, 0.1F, -1}}, {"und\u00DF", {0, 0, 2}}}; }

std::string refusal(std::string text, std::size_t max_words = WordVectors::kMostWords) {
  try {
    read_text_vectors(std::move(text), max_words);
  } catch (const DataError& error) {
    EXPECT_EQ(vectors_refusal_violation(error), std::nullopt);
    return error.what();
  }
  return "accepted";
}

void expect_refusal(const std::string& text, const std::string& start, const std::string& part) {
  const std::string message = refusal(text);
  EXPECT_TRUE(message.starts_with(start)) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(VectorReader, Text) {
  expect_rows(read_text_vectors(kRows));
  expect_rows(read_text_vectors(std::string("3 3\n") + kRows));
  expect_rows(read_text_vectors(std::string("\xEF\xBB\xBF") + "3 3\n" + kRows));
  // fastText writes a space behind the last value; some files have tabs, plus signs or carriage returns.
  expect_rows(read_text_vectors("3 3 \nthe 1 -0.5 0.25 \nof 0.5 1e-1 -1 \nund\u00DF 0 0 2 \n"));
  expect_rows(read_text_vectors("3\t3\r\nthe\t+1\t-0.5\t0.25\r\nof 0.5 1E-1 -1\r\nund\u00DF 0 0 2"));
}

TEST(VectorReader, Binary) {
  expect_rows(read_text_vectors(binary_vectors(rows(), true)));
  expect_rows(read_text_vectors(binary_vectors(rows(), false)));
}

TEST(VectorReader, FilesPlainAndCompressed) {
  const std::string path = ::testing::TempDir() + "copse_vector_reader_file";
  for (const std::string& text : {std::string("3 3\n") + kRows, binary_vectors(rows())}) {
    for (const std::string& bytes : {text, gzip_bytes(text), zstd_bytes(text)}) {
      std::ofstream(path, std::ios::binary) << bytes;
      expect_rows(read_vectors(path));
    }
  }
  read_text_vectors(kRows).save(path);
  expect_rows(read_vectors(path));
  EXPECT_EQ(read_vectors(path, {2}).size(), 2U);
  const std::string ours = [&] {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  std::ofstream(path, std::ios::binary) << zstd_bytes(ours);
  expect_rows(read_vectors(path));
  std::filesystem::remove(path);
  try {
    read_vectors(path);
    ADD_FAILURE() << "a file that is not there";
  } catch (const DataError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with(path + ": cannot open"));
  }
}

TEST(VectorReader, LimitOfWords) {
  const std::string text = std::string("3 3\n") + kRows;
  for (const std::string& bytes : {text, binary_vectors(rows()), std::string(kRows)}) {
    const WordVectors vectors = read_text_vectors(bytes, 2);
    EXPECT_EQ(vectors.size(), 2U);
    EXPECT_EQ(vectors.word(1), "of");
  }
  // What lies behind is not looked at.
  EXPECT_EQ(read_text_vectors(text + "broken", 3).size(), 3U);
  EXPECT_EQ(read_text_vectors("9999999999 2\na 1 2\nb 1 2\nc 1", 2).size(), 2U);
}

TEST(VectorReader, ErrorsOfText) {
  expect_refusal("", "file: ", "is empty");
  expect_refusal("a 1 2\nb 1\n", "file:2: ", "1 values instead of 2");
  expect_refusal("2 2\na 1 2\nb 1 2 3\n", "file:3: ", "3 values instead of 2");
  expect_refusal("a 1 nan\n", "file:1: ", "'nan' is not a number that");
  expect_refusal("a 1 1\nb 1 inf\n", "file:2: ", "'inf' is not a number that");
  expect_refusal("a 1 1e30\n", "file:1: ", "'1e30'");
  expect_refusal("a 1 1e999\n", "file:1: ", "'1e999'");
  expect_refusal("a 1 x\n", "file:1: ", "'x' is not a number");
  expect_refusal("a 1 1.5.2\n", "file:1: ", "'1.5.2' is not a number");
  expect_refusal("a\nb\n", "file:1: ", "no values");
  expect_refusal("3 0\na\n", "file:1: ", "dimension 0");
  expect_refusal("3 5000\na\n", "file:1: ", "dimension 5000");
  expect_refusal("3 18446744073709551615\na 1\n", "file:1: ", "dimension 18446744073709551615");
  expect_refusal("18446744073709551615 2\na 1 2\n", "file: ", "ends after 1 of the 18446744073709551615");
  expect_refusal("2 2\n", "file: ", "ends after 0 of the 2");
  expect_refusal("1 2\na 1 2\nb 1 2\n", "file:3: ", "more words than the 1");
  expect_refusal("a 1 2\nb 3 4\na 5 6\n", "file:3: ", "'a' comes a second time");
  expect_refusal("a 1 2\n\xFF\xFE 3 4\n", "file:2: ", "not valid UTF-8");
  expect_refusal("a 1 2\n\nb 1 2\n", "file:2: ", "empty");
  expect_refusal("a 1 2\n" + std::string(100'000, 'x') + " 3 4\n", "file:2: ", "is too long");
  expect_refusal("a 1 2\n" + std::string(3 << 20, 'x'), "file:2: ", "the line is too long");
}

TEST(VectorReader, ErrorsOfBinaries) {
  const std::string sound = binary_vectors(rows());
  expect_refusal(sound.substr(0, sound.size() - 3), "file: ", "ends after 2 of the 3");
  expect_refusal(sound.substr(0, sound.find("of")), "file: ", "ends after 1 of the 3");
  expect_refusal(sound + "more", "file: word ", "more behind the last word");
  expect_refusal(binary_vectors({{"a", {1, 2}}, {"b", {1, NAN}}}), "file: word 2: ", "'b' has a value");
  expect_refusal(binary_vectors({{"a", {1, 2}}, {"a", {1, 2}}}), "file: word 2: ", "'a' comes a second time");
  expect_refusal(binary_vectors({{"a", {1, 2}}, {"\xC0", {1, 2}}}), "file: word 2: ", "not valid UTF-8");
  expect_refusal(binary_vectors({{"a", {1, 2}}, {std::string(200'000, 'x'), {1, 2}}}),
                 "file: word 2: ", "too long");
  expect_refusal(std::string("\xBA\x16\x4F\x2F\x0C\0\0\0", 8), "file: ", ".vec");
  expect_refusal("\211copse\r\nnonsense", "file: ", "");
}

TEST(VectorReader, DamagedBytesAreRefusedOrHarmless) {
  const std::vector<std::string> samples = {std::string("3 3\n") + kRows, kRows, binary_vectors(rows())};
  std::mt19937_64 random = case_generator(0);
  for (int number = 0; number < scaled(3000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::string bytes = samples[random() % samples.size()];
    for (std::uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes.resize(at);
          break;
        case 1:
          bytes.insert(at, 1, "0 \n.-e9"[random() % 7]);
          break;
        case 2:
          bytes.erase(at, 1 + random() % 3);
          break;
        default:
          bytes[at] = static_cast<char>(random());
      }
    }
    const std::optional<std::string> violation = vector_reader_violation(bytes);
    ASSERT_EQ(violation, std::nullopt) << *violation;
  }
}

}  // namespace
}  // namespace copse::testing
