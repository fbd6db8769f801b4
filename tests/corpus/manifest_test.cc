#include "corpus/manifest.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class ManifestFile : public TemporaryFolderTest {};

TEST_F(ManifestFile, KnowsWhatItWasTold) {
  const std::vector<Manifest::Setting> settings = {{"--model", "a"}, {"--kbest", "3"}};
  const Manifest::Output output = {"a \"b\".conllu", "in/a \"b\".txt", 100, 12345};
  Manifest manifest;
  EXPECT_TRUE(manifest.empty());
  manifest.set(settings);
  manifest.put(output);
  manifest.put({"a", "a.txt", 1, 1});
  manifest.save(path("manifest"));
  const Manifest again = Manifest::load(path("manifest"));
  EXPECT_FALSE(again.empty());
  EXPECT_EQ(again.text(), manifest.text());
  EXPECT_EQ(again.text(), content(path("manifest")));
  EXPECT_EQ(again.differing(settings), std::vector<std::string>());
  EXPECT_EQ(again.differing({{"--model", "b"}, {"--kbest", "3"}, {"--new", "x"}}),
            std::vector<std::string>({"--model", "--new"}));
  EXPECT_EQ(again.find(output), Manifest::Known::same);
  EXPECT_EQ(again.find({"a \"b\"", "", 0, 0}), Manifest::Known::no);
  std::vector<Manifest::Output> others(3, output);
  others[0].size = 101;
  others[1].changed = 12346;
  others[2].input = "elsewhere";
  for (const Manifest::Output& other : others) EXPECT_EQ(again.find(other), Manifest::Known::changed);
}

TEST_F(ManifestFile, AnOutputIsKnownOnce) {
  Manifest manifest;
  manifest.put({"a", "a.txt", 1, 1});
  manifest.put({"a", "a.txt", 2, 2});
  EXPECT_EQ(manifest.find({"a", "a.txt", 2, 2}), Manifest::Known::same);
  EXPECT_EQ(manifest.find({"a", "a.txt", 1, 1}), Manifest::Known::changed);
  const std::string text = manifest.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST_F(ManifestFile, OtherFilesAreRefused) {
  write(path("other"), "{\"something\":1}\n");
  EXPECT_EQ(error_of([&] { Manifest::load(path("other")); }),
            path("other") + ": is not what this version writes there; give another folder, or overwrite it");
  write(path("longer"), Manifest().text() + "more\n");
  EXPECT_NE(error_of([&] { Manifest::load(path("longer")); }), "no error");
  write(path("none"), "");
  EXPECT_NE(error_of([&] { Manifest::load(path("none")); }), "no error");
}

}  // namespace
}  // namespace copse::testing
