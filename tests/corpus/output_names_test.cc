#include "corpus/output_names.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

TEST(OutputNames, EndingsThatTellWhatTheInputWasAreReplaced) {
  EXPECT_EQ(output_name("a.txt", ".conllu"), "a.conllu");
  EXPECT_EQ(output_name("a.txt.gz", ".conllu"), "a.conllu");
  EXPECT_EQ(output_name("below/a.conllx.zst", ".jsonl"), "below/a.jsonl");
  EXPECT_EQ(output_name("a.conllu", ".conllu"), "a.conllu");
  // What tells nothing stays: these would become one otherwise.
  EXPECT_EQ(output_name("talk.2019", ".conllu"), "talk.2019.conllu");
  EXPECT_EQ(output_name("talk.2020", ".conllu"), "talk.2020.conllu");
  EXPECT_EQ(output_name("plain", ".conllu"), "plain.conllu");
  EXPECT_EQ(output_name("below/.txt", ".conllu"), "below/.txt.conllu");
}

TEST(OutputNames, TreebanksKeepTheirNames) {
  EXPECT_EQ(output_name("a.dp", ""), "a.dp");
  EXPECT_EQ(output_name("a.conll.gz", ""), "a.conll");
  EXPECT_TRUE(is_treebank_name("below/a.conllu.gz"));
  EXPECT_FALSE(is_treebank_name("a.txt"));
}

class Inputs : public TemporaryFolderTest {
 protected:
  std::vector<std::string> names(const std::vector<std::string>& paths) const {
    std::vector<std::string> found;
    for (const NamedInput& input : find_inputs(paths)) {
      EXPECT_TRUE(std::filesystem::is_regular_file(input.path));
      found.push_back(input.name);
    }
    return found;
  }
};

TEST_F(Inputs, FoldersAreTheirFiles) {
  std::filesystem::create_directories(path("corpus/b/c"));
  std::filesystem::create_directories(path("corpus/.hidden"));
  std::filesystem::create_directories(path("none"));
  for (const std::string name : {"z.txt", "b/c/y.txt", "b/x.gz", ".secret", ".hidden/w.txt"}) {
    write(path("corpus/" + name), "text");
  }
  write(path("one.txt"), "text");
  const std::vector<std::string> expected = {"one.txt", "b/c/y.txt", "b/x.gz", "z.txt"};
  EXPECT_EQ(names({path("one.txt"), path("corpus")}), expected);
  EXPECT_EQ(names({path("one.txt"), path("corpus/")}), expected);
  EXPECT_EQ(error_of([&] { find_inputs({path("none")}); }),
            path("none") + ": there is no file in this folder; name another");
  EXPECT_NE(error_of([&] { find_inputs({path("missing")}); }).find("cannot open"), std::string::npos);
  EXPECT_NE(error_of([&] { find_inputs({"-"}); }).find("has no name"), std::string::npos);
  EXPECT_NE(error_of([&] { find_inputs({"/dev/null"}); }).find("is no regular file"), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
