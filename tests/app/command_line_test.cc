#include "app/program.h"

namespace copse::testing {
namespace {

class CommandLine : public ProgramTest {};

TEST_F(CommandLine, HelpTeaches) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.errors, "");
  for (const char* expected : {"Usage: copse", "Examples:", "copse demo", "check", "exit"}) {
    EXPECT_NE(help.output.find(expected), std::string::npos) << expected;
  }
  EXPECT_EQ(run("-h").output, help.output);
}

TEST_F(CommandLine, EveryCommandHasHelp) {
  for (const std::string command : {"train", "parse", "eval", "info", "check", "demo"}) {
    const Outcome help = run(command + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.output.find("Usage: copse " + command), std::string::npos) << help.output;
  }
}

TEST_F(CommandLine, VersionIsOneLine) {
  const Outcome version = run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.output.substr(0, 6), "copse ");
  EXPECT_EQ(version.output.find('\n'), version.output.size() - 1);
}

TEST_F(CommandLine, WrongUsageIsStatusTwo) {
  const auto expect_usage_error = [this](const std::string& arguments, const std::string& message) {
    SCOPED_TRACE(arguments);
    const Outcome outcome = run(arguments);
    expect_one_line_error(outcome, 2, message);
    EXPECT_NE(outcome.errors.find("--help`"), std::string::npos);
    EXPECT_EQ(outcome.output, "");
  };
  expect_usage_error("", "a command is missing; see `copse --help`");
  expect_usage_error("grow", "there is no command 'grow'; see `copse --help`");
  expect_usage_error("--wrong", "there is no option '--wrong'; see `copse --help`");
  expect_usage_error("check --wrong", "the following argument was not expected: --wrong; see `copse check");
  expect_usage_error("check --format", "--format: 1 required");
  expect_usage_error("check --format xml", "--format: xml not in {detect,conllx,conllu,tab3}");
  expect_usage_error("demo surplus", "the following argument was not expected: surplus");
  expect_usage_error("demo --columns wide", "--columns: Value wide not in range 0 to 10000");
  expect_usage_error("demo --colour blue", "--colour: blue not in {auto,always,never}");
}

// Numbers that are none pass comparisons with limits.
TEST_F(CommandLine, NumbersAreFinite) {
  const auto expect_refused = [this](const std::string& command, const std::string& option) {
    for (const std::string value : {"nan", "NaN", "-nan", "inf", "-inf", "1e999"}) {
      SCOPED_TRACE(command + " " + option + " " + value);
      const Outcome outcome = run(command + " " + option + "=" + value);
      expect_one_line_error(outcome, 2, option + ": ");
    }
  };
  expect_refused("parse", "--min-confidence");
  for (const char* option : {"--l1", "--l2", "--margin", "--prune"}) {
    expect_refused("train --train none --model none", option);
  }
  expect_one_line_error(run("parse --min-confidence nan"), 2,
                        "--min-confidence: 'nan' is not a finite number");
}

TEST_F(CommandLine, ReaderWhoLeavesEarlyIsNoError) {
  const Outcome outcome =
      run_shell("{ sleep 0.2; \"$COPSE_BINARY\" demo; echo $? >status; } | true; sleep 0.5; cat status");
  EXPECT_EQ(outcome.output, "0\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(CommandLine, FullDiskIsAnError) {
  expect_one_line_error(run("demo >/dev/full"), 1, "<stdout>: cannot write: No space left on device");
  expect_one_line_error(run("--help >/dev/full"), 1, "<stdout>: cannot write: No space left on device");
}

}  // namespace
}  // namespace copse::testing
