#pragma once

#include <filesystem>
#include <string>

#include "app/program.h"
#include "toy_treebank.h"

namespace copse::testing {

// Tests that train on the toy language, and look at the folder that the program works in.
class ToyProgramTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    folder_ = run_shell("printf %s \"$PWD\"").output;
    write_file("train", toy_treebank(60, 1));
    write_file("dev", toy_treebank(20, 2));
  }

  const std::string& folder() const { return folder_; }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ + "/" + name); }
  void remove(const std::string& name) const { std::filesystem::remove_all(folder_ + "/" + name); }

  void expect_help(const std::string& command) const {
    const Outcome help = run(command + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.output.find("Usage: copse " + command), std::string::npos) << help.output;
    const std::size_t examples = help.output.find("Examples:\n");
    ASSERT_NE(examples, std::string::npos) << help.output;
    EXPECT_NE(help.output.find("copse " + command, examples), std::string::npos) << help.output;
    EXPECT_NE(run("--help").output.find("copse " + command + " "), std::string::npos);
  }

 private:
  std::string folder_;
};

}  // namespace copse::testing
