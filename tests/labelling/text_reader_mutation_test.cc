#include <gtest/gtest.h>

#include <random>

#include "labelling/text_reader_property.h"

namespace copse::testing {
namespace {

TEST(TextReaders, RefuseOrWork) {
  const std::string pieces[] = {"Dr. No",
                                " ",
                                "\n",
                                "\n\n",
                                "\t",
                                "don't",
                                "ZUM",
                                "\xC3\xA4",
                                "\xFF",
                                "木",
                                "\r",
                                "|",
                                "=",
                                "#",
                                "\\",
                                "P=1",
                                "l1",
                                "\xE2\x80\x8B",
                                "2",
                                ".",
                                "\xCC\x81",
                                "_",
                                "k0\t\t1\t",
                                "NP -> ",
                                std::string(1, '\0')};
  std::mt19937_64 random(1);
  for (int number = 0; number < 3000; ++number) {
    std::string bytes;
    for (std::uint64_t count = random() % 12; count > 0; --count)
      bytes += pieces[random() % std::size(pieces)];
    for (std::size_t reader = 0; reader < kTextReaders.size(); ++reader) {
      ASSERT_EQ(text_reader_violation(reader, bytes), std::nullopt)
          << kTextReaders[reader] << ", case " << number << ": " << quoted(bytes, 200);
    }
  }
}

}  // namespace
}  // namespace copse::testing
