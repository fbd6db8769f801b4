#include "treebank/line_reader.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/slow_source.h"

namespace copse {
namespace {

// The lines with their ends made visible.
std::vector<std::string> lines_of(const std::string& text, size_t step, size_t buffer_bytes) {
  LineReader reader(std::make_unique<SlowSource>(text, step), "file", 20, buffer_bytes);
  std::vector<std::string> lines;
  while (reader.next()) {
    const char* end = reader.end() == LineEnd::lf ? "|" : reader.end() == LineEnd::crlf ? "||" : "";
    lines.push_back(std::string(reader.text()) + end);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(LineReader, CutsLinesWhateverTheBuffers) {
  const std::string text = "one\ntwo\r\n\n\r\na longer line here\n\rx\ry\nlast";
  const std::vector<std::string> expected = {"one|",    "two||", "|", "||", "a longer line here|",
                                             "\rx\ry|", "last"};
  for (const size_t step : {1, 2, 3, 5, 1000}) {
    for (const size_t buffer_bytes : {0, 1, 2, 3, 7, 64}) {
      EXPECT_EQ(lines_of(text, step, buffer_bytes), expected) << step << " " << buffer_bytes;
    }
  }
  EXPECT_TRUE(lines_of("", 1, 1).empty());
  EXPECT_EQ(lines_of("\r", 1, 1), std::vector<std::string>{"\r"});
}

TEST(LineReader, LimitsTheLineWithoutItsEnd) {
  const std::string longest(20, 'a');
  const std::vector<std::string> too_long = {longest + "a\n", longest + "a\r\n", longest + "a",
                                             std::string(5000, 'a')};
  const std::string just_fits = longest + "\r\n" + longest;
  for (const size_t step : {1, 1000}) {
    EXPECT_EQ(lines_of(just_fits, step, 4).size(), 2U);
    for (const std::string& text :
         {longest + "a\n", longest + "a\r\n", longest + "a", std::string(5000, 'a')}) {
      try {
        lines_of(std::string("\n").append(text), step, 4);
        ADD_FAILURE() << "no error";
      } catch (const DataError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "file:2: the line is longer than 20 bytes; check that this is a CoNLL file");
      }
    }
  }
}

}  // namespace
}  // namespace copse
