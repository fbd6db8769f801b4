// Mutates valid files at random and checks the property that the fuzz target checks, too.
// COPSE_FUZZ_SEED and COPSE_FUZZ_RUNS override the seed and the number of mutated files.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>

#include "io/compress_helpers.h"
#include "treebank/conll_samples.h"
#include "treebank/roundtrip_property.h"

namespace copse {
namespace {

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  std::string text() {
    static const std::vector<std::string> samples = {kConlluSample, kConllxSample, kTab3Sample};
    std::string text = samples[below(samples.size())];
    if (below(4) == 0) text += samples[below(samples.size())];
    for (size_t count = below(5); count > 0; --count) mutate_text(text);
    return text;
  }

  void mutate_bytes(std::string& bytes) {
    if (bytes.empty()) return;
    switch (below(3)) {
      case 0:
        bytes[below(bytes.size())] = static_cast<char>(random_());
        break;
      case 1:
        bytes.erase(below(bytes.size()), 1 + below(10));
        break;
      default:
        bytes.resize(below(bytes.size()));
    }
  }

 private:
  void mutate_text(std::string& text) {
    static const std::vector<std::string> insertions = {"\t",
                                                        "\n",
                                                        "\r",
                                                        "\r\n",
                                                        "\n\n",
                                                        "_",
                                                        " ",
                                                        "#",
                                                        "-",
                                                        ".",
                                                        "0",
                                                        "1-2",
                                                        "3.1",
                                                        std::string(1, '\0'),
                                                        "\xFF",
                                                        "\xC0\xAF",
                                                        "\xED\xA0\x80",
                                                        "\xEF\xBB\xBF",
                                                        "\x1F\x8B",
                                                        "99999999999999999999",
                                                        "é",
                                                        "\t_\t_"};
    const size_t place = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        mutate_bytes(text);
        break;
      case 1:
        text.insert(place, insertions[below(insertions.size())]);
        break;
      case 2:
        text.insert(line_start(text, place), line_at(text, place));
        break;
      case 3:
        text.erase(line_start(text, place), line_at(text, place).size());
        break;
      case 4: {  // another number
        const size_t digit = text.find_first_of("0123456789", place);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
        break;
      }
      case 5: {  // a line goes elsewhere
        const std::string line = line_at(text, place);
        text.erase(line_start(text, place), line.size());
        text.insert(line_start(text, below(text.size() + 1)), line);
        break;
      }
      default: {  // some or all lines get the other line end
        for (size_t k = text.find('\n', place); k != std::string::npos; k = text.find('\n', k + 2)) {
          text.insert(k, "\r");
        }
      }
    }
  }

  static size_t line_start(const std::string& text, size_t place) {
    const size_t newline = place == 0 ? std::string::npos : text.rfind('\n', place - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  }
  static std::string line_at(const std::string& text, size_t place) {
    const size_t start = line_start(text, place);
    const size_t newline = text.find('\n', start);
    return text.substr(start, newline == std::string::npos ? newline : newline + 1 - start);
  }

  std::mt19937_64 random_;
};

TEST(Mutation, FilesAreRefusedOrSurviveARoundTrip) {
  const uint64_t seed = number_from_environment("COPSE_FUZZ_SEED", 20240229);
  const uint64_t runs = number_from_environment("COPSE_FUZZ_RUNS", 20'000);
  std::cout << "COPSE_FUZZ_SEED=" << seed << " COPSE_FUZZ_RUNS=" << runs << "\n";
  uint64_t readable = 0;
  for (uint64_t run = 0; run < runs; ++run) {
    Mutator mutator(seed + run);
    std::string bytes = mutator.text();
    if (const size_t method = mutator.below(8); method < 2) {
      bytes = method == 0 ? gzip_bytes(bytes) : zstd_bytes(bytes);
      if (mutator.below(2) == 0) mutator.mutate_bytes(bytes);
    }
    ConllReadOptions options;
    options.format = static_cast<ConllFormat>(mutator.below(2) == 0 ? 0 : mutator.below(4));
    options.validate_trees = mutator.below(4) != 0;
    const auto violation = roundtrip_violation(bytes, options);
    ASSERT_FALSE(violation.has_value())
        << *violation << "; repeat with COPSE_FUZZ_SEED=" << seed + run
        << " COPSE_FUZZ_RUNS=1; the bytes: " << ::testing::PrintToString(bytes);
    bool is_readable = true;
    try {
      read_text(bytes, options);
    } catch (const DataError&) {
      is_readable = false;
    }
    if (is_readable) ++readable;
  }
  // Both outcomes must occur, or the test looks at one side only.
  if (runs >= 1000) {
    EXPECT_GT(readable, runs / 10);
    EXPECT_LT(readable, runs - runs / 10);
  }
}

}  // namespace
}  // namespace copse
