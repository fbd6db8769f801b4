#include "io/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "copse/error.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("copse_output_") + test->name());
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t file_count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

 private:
  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenClosed) {
  OutputFile file(path("out"));
  const std::string text(1'000'000, 'x');
  file.write("start ");
  file.write(text);
  file.flush();
  EXPECT_FALSE(fs::exists(path("out")));
  file.close();
  file.close();
  EXPECT_EQ(content(path("out")), "start " + text);
  EXPECT_EQ(file_count(), 1U);
  EXPECT_THROW(file.write("more"), DataError);
}

TEST_F(OutputFileTest, LeavesNothingBehindWithoutClose) {
  std::ofstream(path("out")) << "old";
  {
    OutputFile file(path("out"));
    file.write("new");
    file.flush();
    EXPECT_EQ(file_count(), 2U);
  }
  EXPECT_EQ(file_count(), 1U);
  EXPECT_EQ(content(path("out")), "old");
}

TEST_F(OutputFileTest, MovesItsTemporary) {
  OutputFile first(path("first"));
  first.write("1");
  OutputFile second(path("second"));
  second.write("2");
  second = std::move(first);
  EXPECT_EQ(file_count(), 1U) << "the temporary of the file that was assigned over is gone";
  OutputFile third(std::move(second));
  third.close();
  EXPECT_EQ(content(path("first")), "1");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(OutputFileTest, KeepsPermissionsAndFollowsLinks) {
  std::ofstream(path("target")) << "old";
  ::chmod(path("target").c_str(), 0640);
  fs::create_symlink("target", path("link"));
  OutputFile file(path("link"));
  file.write("new");
  file.close();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
  EXPECT_EQ(fs::status(path("target")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, TwoWritersOfOneFileDoNotMeet) {
  OutputFile first(path("out"));
  OutputFile second(path("out"));
  first.write("first");
  second.write("second");
  second.close();
  first.close();
  EXPECT_EQ(content(path("out")), "first");
}

TEST_F(OutputFileTest, WritesDevicesDirectly) {
  OutputFile file("/dev/null");
  file.write("gone");
  file.close();
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(OutputFileTest, ReportsFailures) {
  try {
    OutputFile file(path("no/such/folder"));
    ADD_FAILURE() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()), path("no/such/folder") +
                                             ": cannot write: No such file or directory; check the path, its "
                                             "permissions and the free space");
  }
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  OutputFile full("/dev/full");
  full.write("text");
  EXPECT_THROW(full.close(), DataError);
}

}  // namespace
}  // namespace copse
