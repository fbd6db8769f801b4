#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "tagging/tagged_toys.h"
#include "tagging/treebank_tagger.h"

namespace copse::testing {
namespace {

class TaggerThreads : public TemporaryFolderTest {};

TEST_F(TaggerThreads, TheSameFileAndTheSameTagsForAnyNumber) {
  std::vector<std::string> files;
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 3}) {
    TaskPool pool(threads);
    const TaggerModel tagger = toy_tagger(pool, {}, 80);
    tagger.save(path("tagger"));
    files.push_back(content(path("tagger")));
    std::vector<Sentence> sentences = read_text(tagged_toys(40, 7));
    BatchTagger(tagger, {.probabilities = true}, pool).tag(sentences);
    texts.push_back(write_text(sentences));
  }
  EXPECT_TRUE(files[0] == files[1]);
  EXPECT_TRUE(files[0] == files[2]);
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

}  // namespace
}  // namespace copse::testing
