#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "segmentation/segmented_toys.h"

namespace copse::testing {
namespace {

class SegmenterThreads : public TemporaryFolderTest {};

TEST_F(SegmenterThreads, TheSameFileForAnyNumber) {
  std::vector<std::string> files;
  for (const int threads : {1, 2, 3}) {
    TaskPool pool(threads);
    toy_segmenter(pool, {}, 500).save(path("segmenter"));
    files.push_back(content(path("segmenter")));
  }
  EXPECT_TRUE(files[0] == files[1]);
  EXPECT_TRUE(files[0] == files[2]);
}

}  // namespace
}  // namespace copse::testing
