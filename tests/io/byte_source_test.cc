#include "io/byte_source.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "copse/error.h"
#include "io/compress_helpers.h"
#include "io/slow_source.h"

namespace copse {
namespace {

// Text that compresses, but not to nothing: several buffers long even when compressed.
std::string long_text() {
  std::mt19937 random(20240229);
  std::string text;
  while (text.size() < 500'000) text += std::to_string(random()) + "\t_\n";
  return text;
}

std::string decompressed(const std::string& bytes, size_t in_step = SIZE_MAX, size_t out_step = 4096) {
  return drain(*decompress(std::make_unique<SlowSource>(bytes, in_step), "input"), out_step);
}

TEST(Decompress, LeavesOtherBytesAlone) {
  for (const std::string text : {"", "a", "\x1F", "\x28\xB5\x2F", "1\tword\n", "\x1Fword"}) {
    EXPECT_EQ(decompressed(text), text);
    EXPECT_EQ(decompressed(text, 1, 1), text);
  }
  const std::string text = long_text();
  EXPECT_EQ(decompressed(text), text);
}

using Compressor = std::string (*)(const std::string&);

struct Method {
  const char* name;
  Compressor compress;
};

class DecompressMethod : public ::testing::TestWithParam<Method> {};

TEST_P(DecompressMethod, ReadsLongAndEmptyAndConcatenatedData) {
  const Compressor compress = GetParam().compress;
  const std::string text = long_text();
  EXPECT_EQ(decompressed(compress(text)), text);
  EXPECT_EQ(decompressed(compress(text), 1000, 100'000), text);
  EXPECT_EQ(decompressed(compress("")), "");
  EXPECT_EQ(decompressed(compress("one ") + compress("") + compress("two")), "one two");
  EXPECT_EQ(decompressed(compress("one ") + compress("") + compress("two"), 1, 1), "one two");
}

TEST_P(DecompressMethod, RefusesEveryTruncation) {
  const std::string bytes = GetParam().compress("a text that is cut off everywhere");
  for (size_t length = 4; length < bytes.size(); ++length) {
    for (const std::string& before : {std::string(), bytes}) {
      try {
        decompressed(before + bytes.substr(0, length));
        ADD_FAILURE() << "no error at " << length << " of " << bytes.size();
      } catch (const DataError& error) {
        EXPECT_EQ(std::string(error.what()),
                  std::string("input: the ") + GetParam().name + " data is truncated; get or make it again");
      }
    }
  }
}

TEST_P(DecompressMethod, RefusesDamageAndTrailingGarbage) {
  const std::string text = long_text();
  const std::string bytes = GetParam().compress(text);
  for (size_t place = 20; place < bytes.size(); place += bytes.size() / 50) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    EXPECT_THROW(decompressed(damaged), DataError) << "at " << place;
  }
  EXPECT_THROW(decompressed(bytes + "some garbage that is no frame"), DataError);
}

INSTANTIATE_TEST_SUITE_P(Methods, DecompressMethod,
                         ::testing::Values(Method{"gzip",
                                                  [](const std::string& text) { return gzip_bytes(text); }},
                                           Method{"zstd", zstd_bytes}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Decompress, PassesOverSkippableFrames) {
  const std::string skipped = zstd_skippable_frame("note");
  EXPECT_EQ(decompressed(skipped + zstd_bytes("one ") + skipped + zstd_bytes("two") + skipped), "one two");
  EXPECT_EQ(decompressed(skipped), "");
}

TEST(OpenFile, ReadsAFileAndNamesOneThatIsMissing) {
  const std::string path = ::testing::TempDir() + "copse_byte_source_test";
  std::ofstream(path) << "content";
  EXPECT_EQ(drain(*open_file(path), 3), "content");
  std::remove(path.c_str());
  try {
    open_file(path);
    ADD_FAILURE() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()),
              path + ": cannot open: No such file or directory; check the path and its permissions");
  }
  EXPECT_THROW(drain(*open_file(::testing::TempDir())), DataError) << "a directory";
}

TEST(InputName, CallsTheStandardInputByName) {
  EXPECT_EQ(input_name("-"), "<stdin>");
  EXPECT_EQ(input_name("a/b"), "a/b");
}

}  // namespace
}  // namespace copse
