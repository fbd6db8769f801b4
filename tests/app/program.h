#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace copse::testing {

struct Outcome {
  int status = -1;  // -1: killed by a signal
  std::string output;
  std::string errors;
};

// Runs the program in a folder of its own, through the shell. COPSE_BINARY names the program.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("copse_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder_); }

  void SetUp() override {
    const char* binary = std::getenv("COPSE_BINARY");
    if (binary == nullptr)
      GTEST_SKIP() << "COPSE_BINARY does not say where the program is; run this by ctest";
    binary_ = binary;
  }

  void write_file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read_file(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // `arguments` are shell words, `input` is the standard input.
  Outcome run(const std::string& arguments, const std::string& input = "") const {
    return run_shell("\"$COPSE_BINARY\" " + arguments, input);
  }
  Outcome run_shell(const std::string& command, const std::string& input = "") const {
    write_file("stdin", input);
    const std::string line = "cd '" + folder_.string() + "' && { " + command + "; } <stdin >stdout 2>stderr";
    const int result = std::system(line.c_str());
    return {WIFEXITED(result) ? WEXITSTATUS(result) : -1, read_file("stdout"), read_file("stderr")};
  }

 private:
  std::filesystem::path folder_;
  std::string binary_;
};

// A program that reports one error writes one line, and begins it with its name.
inline void expect_one_line_error(const Outcome& outcome, int status, const std::string& message) {
  EXPECT_EQ(outcome.status, status);
  EXPECT_EQ(outcome.errors.substr(0, message.size() + 7), "copse: " + message);
  EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
}

}  // namespace copse::testing
