#include "app/program.h"

namespace copse::testing {
namespace {

// What the pages and scripts say is compared with the help of all commands by check_man_pages.py and
// complete_in_shells.py.
class ManualCommand : public ProgramTest {};

TEST_F(ManualCommand, WritesOnePageOrAll) {
  const Outcome page = run("manual check");
  EXPECT_EQ(page.status, 0);
  EXPECT_NE(page.output.find(".TH COPSE\\-CHECK 1"), std::string::npos) << page.output;
  EXPECT_NE(page.output.find("\n.SH OPTIONS\n"), std::string::npos);
  EXPECT_NE(run("manual").output.find(".TH COPSE 1"), std::string::npos);

  EXPECT_EQ(run("manual --folder pages/man1").status, 0);
  EXPECT_EQ(read_file("pages/man1/copse-check.1"), page.output);
  EXPECT_EQ(read_file("pages/man1/copse.1"), run("manual").output);
}

TEST_F(ManualCommand, RefusesWhatCannotBe) {
  expect_one_line_error(run("manual grow"), 2, "COMMAND must be parse,");
  expect_one_line_error(run("manual check --folder here"), 2, "COMMAND and --folder cannot be used together");
  write_file("file", "");
  expect_one_line_error(run("manual --folder file"), 1, "file/copse.1: ");
  expect_one_line_error(run("manual check >/dev/full"), 1, "<stdout>: cannot write: No space left on device");
}

class CompletionCommand : public ProgramTest {};

TEST_F(CompletionCommand, WritesAScriptOfEachShell) {
  EXPECT_NE(run("completion bash").output.find("complete -o default -F _copse copse\n"), std::string::npos);
  EXPECT_EQ(run("completion zsh").output.rfind("#compdef copse\n", 0), 0);
  EXPECT_NE(run("completion fish").output.find("complete -c copse -f\n"), std::string::npos);
}

TEST_F(CompletionCommand, RefusesOtherShells) {
  expect_one_line_error(run("completion"), 2, "SHELL is required");
  expect_one_line_error(run("completion tcsh"), 2, "SHELL must be bash, zsh or fish, not 'tcsh'");
}

}  // namespace
}  // namespace copse::testing
