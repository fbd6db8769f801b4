#include "segmentation/heading.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace copse {
namespace {

std::string heading(const std::string& paragraph) { return paragraph.substr(0, heading_bytes(paragraph)); }

TEST(Heading, ALineThatEndsThoughThereWasRoom) {
  EXPECT_EQ(heading("The Garden\nThe dog slept in the garden all day long.\n"), "The Garden\n");
  EXPECT_EQ(heading("  1.2 Results\t\r\n\"We found that the dog slept all day.\"\n"), "  1.2 Results\t\r\n");
  EXPECT_EQ(heading("\xC3\x9C"
                    "bersicht\n\xC3\x84hnliches gilt auch f\xC3\xBCr alle anderen.\n"),
            "\xC3\x9C"
            "bersicht\n");
  // A later line shows how long lines can be.
  EXPECT_EQ(heading("The Garden\nSleep\nis what the dog in the garden wants.\n"), "The Garden\n");
}

TEST(Heading, WhatIsNone) {
  for (const std::string paragraph :
       {"The dog slept in the garden\nAlice looked on.", "The garden.\nThe dog slept in the garden all day.",
        "Dear John,\nThe dog slept in the garden all day.",
        "The garden\nand the dog slept in it all day long.", "The garden", "The garden\n", "\n\n", "",
        "***\nThe dog slept in the garden all day long.", "17\n18\n19 and many more numbers",
        // Nothing shows that there was room.
        "Rose\nSusan\nThomas\nUlrich"}) {
    EXPECT_EQ(heading(paragraph), "") << paragraph;
  }
  const std::string far_too_long(100, 'a');
  EXPECT_EQ(heading(far_too_long + "\nThe dog" + far_too_long + far_too_long), "");
}

// Lines that are as full as they can be have no heading, whatever the words.
TEST(Heading, NoneInTextThatWasFilled) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    const std::size_t width = 20 + random() % 60;
    std::string text;
    std::size_t column = 0;
    for (int word = 0; word < 60; ++word) {
      const std::size_t length = 1 + random() % 12;
      const std::string form = "A" + std::string(length - 1, 'b');
      if (column > 0 && column + 1 + length > width) {
        text += '\n';
        column = 0;
      }
      text += column == 0 ? form : " " + form;
      column += (column == 0 ? 0 : 1) + length;
    }
    EXPECT_EQ(heading(text), "") << text;
  }
}

}  // namespace
}  // namespace copse
