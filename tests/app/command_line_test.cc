#include <pty.h>
#include <unistd.h>

#include <array>

#include "app/program.h"

namespace copse::testing {
namespace {

class CommandLine : public ProgramTest {};

TEST_F(CommandLine, HelpTeaches) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.errors, "");
  for (const char* expected : {"Usage: copse", "At once", "| copse parse", "copse demo", "check", "exit"}) {
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
  expect_usage_error("check --wrong", "there is no option '--wrong'; see `copse check");
  expect_usage_error("check --format", "--format needs a value; see");
  expect_usage_error("check --format xml", "--format must be detect, conllx, conllu or tab3, not 'xml'");
  expect_usage_error("demo surplus", "'surplus' is not expected here");
  expect_usage_error("demo --columns wide", "--columns must be a number between 0 and 10,000, not 'wide'");
  expect_usage_error("demo --colour blue", "--colour must be auto, always or never, not 'blue'");
}

// CLI11's own words would be "Value 0 not in range 0.100000 to 86400.000000".
TEST_F(CommandLine, ValuesThatCannotBeAreExplained) {
  const auto expect_message = [this](const std::string& arguments, const std::string& message) {
    SCOPED_TRACE(arguments);
    expect_one_line_error(run(arguments), 2, message);
  };
  expect_message("parse --min-confidence 2",
                 "--min-confidence must be between 0 and 1, not 2; see `copse parse");
  expect_message("pack a --output b --size lots", "--size must be a size, such as 500K, 64M or 2G; see");
  expect_message("pack a --output b --size 3Q", "--size must be a size, such as 500K, 64M or 2G; see");
  expect_message("parse --shard-bytes 0", "--shard-bytes must be at least 1, not 0; see");
  expect_message("check --max-words 1.5", "--max-words must be");
  expect_message("vectors --rate 0",
                 "--rate must be between 0.000001 and 1, not 0; see `copse vectors --help`");
  expect_message("vectors --min-count many", "--min-count must be");
  expect_message("pack a --output b --weights -5", "--weights must be above 0, not -5");
  expect_message("check --format conlu",
                 "--format must be detect, conllx, conllu or tab3, not 'conlu'; did you mean");
  expect_message("check one --json=maybe", "--json ");
}

TEST_F(CommandLine, WhatWasProbablyMeantIsSaid) {
  const auto expect_hint = [this](const std::string& arguments, const std::string& message) {
    SCOPED_TRACE(arguments);
    expect_one_line_error(run(arguments), 2, message);
  };
  expect_hint("prase", "there is no command 'prase'; did you mean parse? See `copse --help`");
  expect_hint("proj", "there is no command 'proj'; did you mean projectivize?");
  expect_hint("parse --probabilites",
              "there is no option '--probabilites'; did you mean --probabilities? See `copse parse --help`");
  expect_hint("parse --prob", "there is no option '--prob'; did you mean --probabilities?");
  expect_hint("parse --outptu-format=tree",
              "there is no option '--outptu-format'; did you mean --output-format?");
  // Also where what is misspelt is missing.
  expect_hint("train --trian x", "there is no option '--trian'; did you mean --train?");
  expect_hint("tag --kbest 2",
              "there is no option '--kbest' here, but `copse parse` has one; see `copse tag");
  expect_hint("--model x", "there is no option '--model' here, but `copse parse` has one");
  write_file("text.txt", "It works.");
  expect_hint("text.txt", "there is no command 'text.txt'; to parse this file, say `copse parse text.txt`");
  expect_hint("xyzzy", "there is no command 'xyzzy'; see `copse --help`");
}

// What a program writes to a terminal.
std::string shown_on_terminal(const std::string& program) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execl(program.c_str(), "copse", nullptr);
    ::_exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  EXPECT_EQ(status, 0);
  return text;
}

TEST_F(CommandLine, NewcomersAreToldWhatToTry) {
  const std::string text = shown_on_terminal(std::getenv("COPSE_BINARY"));
  for (const char* expected : {"Three things to try", "| copse parse", "copse demo", "copse --help"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
  expect_one_line_error(run(""), 2, "a command is missing");
}

// Numbers that are none pass comparisons with limits.
TEST_F(CommandLine, NumbersAreFinite) {
  const auto expect_refused = [this](const std::string& command, const std::string& option) {
    for (const std::string value : {"nan", "NaN", "-nan", "inf", "-inf", "1e999"}) {
      SCOPED_TRACE(command + " " + option + " " + value);
      const Outcome outcome = run(command + " " + option + "=" + value);
      expect_one_line_error(outcome, 2, option);
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
