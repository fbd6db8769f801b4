// The Penn Treebank sample against its conversion by others; docs/convert.md quotes the figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "constituency/bracket_helpers.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

class ReferenceAgreement : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceAgreement, HeadsAreThoseOfTheReference) {
  const char* root = std::getenv("COPSE_SHARED_DATA");
  const fs::path folder = fs::path(root == nullptr ? "" : root) / "en_ptb" / GetParam();
  if (root == nullptr || !fs::is_directory(folder / "brackets")) {
    GTEST_SKIP() << "needs the treebank en_ptb in the folder that COPSE_SHARED_DATA names";
  }
  const ConversionRules rules = ConversionRules::english();
  int words = 0;
  int same_heads = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "brackets")) {
    const fs::path name = entry.path().filename().replace_extension(".dp");
    const std::vector<Sentence> reference = read_conll(folder / "dependencies" / name);
    std::vector<Sentence> converted;
    for (const ConstituentTree& tree : read_brackets(entry.path())) {
      if (Sentence sentence = to_dependencies(tree, rules); !sentence.empty()) converted.push_back(sentence);
    }
    ASSERT_EQ(converted.size(), reference.size()) << name;
    for (size_t k = 0; k < converted.size(); ++k) {
      ASSERT_EQ(converted[k].size(), reference[k].size()) << name;
      for (int word = 1; word <= converted[k].size(); ++word) {
        EXPECT_EQ(converted[k][word].form(), reference[k][word].form()) << name;
        EXPECT_EQ(converted[k][word].xpos(), reference[k][word].xpos()) << name;
        ++words;
        if (converted[k][word].head() == reference[k][word].head()) ++same_heads;
      }
    }
  }
  std::cout << same_heads << " of " << words << " heads are the same\n";
  EXPECT_GT(words, 0);
  EXPECT_EQ(same_heads, words);
}

INSTANTIATE_TEST_SUITE_P(Sample, ReferenceAgreement, ::testing::Values("train", "dev"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace copse
