#include "text/attribute_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse {
namespace {

TEST(AttributeList, VisitsEntriesInOrderUntilToldToStop) {
  std::vector<std::string> seen;
  for_each_attribute("A=1||B|C=x=y|D=2", [&](std::string_view entry) {
    seen.emplace_back(entry);
    return entry != "C=x=y";
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"A=1", "", "B", "C=x=y"}));
  for_each_attribute("_", [](std::string_view entry) {
    ADD_FAILURE() << entry;
    return true;
  });
}

TEST(AttributeList, FindsTheFirstValueOfAKey) {
  EXPECT_EQ(attribute_value("A=1|B=2|A=3", "A"), "1");
  EXPECT_EQ(attribute_value("A=1|B=2", "B"), "2");
  EXPECT_EQ(attribute_value("A=x=y", "A"), "x=y");
  EXPECT_EQ(attribute_value("A=", "A"), "");
  for (const char* list : {"_", "", "A", "AA=1", "a=1", "B=A=1", "=1"}) {
    EXPECT_FALSE(attribute_value(list, "A")) << list;
  }
}

TEST(AttributeList, ReplacesInPlaceOrAddsAtTheEnd) {
  EXPECT_EQ(with_attribute("_", "P", "0.5"), "P=0.5");
  EXPECT_EQ(with_attribute("", "P", "0.5"), "P=0.5");
  EXPECT_EQ(with_attribute("A=1|P=0.1|B", "P", "0.5"), "A=1|P=0.5|B");
  EXPECT_EQ(with_attribute("P=0.1|A=1|P=0.2|P", "P", "0.5"), "P=0.5|A=1");
  EXPECT_EQ(with_attribute("PP=0.1", "P", "0.5"), "PP=0.1|P=0.5");
}

TEST(AttributeList, RemovesAllEntriesOfAKey) {
  EXPECT_EQ(without_attribute("A=1|P=0.1|B|P", "P"), "A=1|B");
  EXPECT_EQ(without_attribute("P=0.1", "P"), "_");
  EXPECT_EQ(without_attribute("_", "P"), "_");
  EXPECT_EQ(without_attribute("PP=1", "P"), "PP=1");
}

}  // namespace
}  // namespace copse
