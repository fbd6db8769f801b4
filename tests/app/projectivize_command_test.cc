#include "app/toy_program.h"

namespace copse::testing {
namespace {

std::string arc_row(int id, const std::string& form, const std::string& head, const std::string& label) {
  return std::to_string(id) + "\t" + form + "\t_\tX\tY\tF=1\t" + head + "\t" + label + "\t_\tM=1\n";
}

const std::string kCrossing = "# sent_id = a\n" + arc_row(1, "a", "4", "atr") +
                              "2-3\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n" + arc_row(2, "b", "1", "auxp") +
                              arc_row(3, "c", "0", "root") + "3.1\te\te\tX\tY\t_\t_\t_\t3:dep\t_\n" +
                              arc_row(4, "d", "3", "sb") + "\n";
const std::string kWithoutHeads =
    arc_row(1, "a", "3", "x|y") + arc_row(2, "b", "_", "_") + arc_row(3, "c", "0", "root") + "\n";

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  text.replace(text.find(old_text), old_text.size(), new_text);
  return text;
}

const std::string kLifted = replaced(
    replaced(kCrossing, arc_row(1, "a", "4", "atr"), arc_row(1, "a", "3", "atr|sb")), "\tsb\t", "\tsb%\t");

using ProjectivizeCommand = ToyProgramTest;

TEST_F(ProjectivizeCommand, HelpTeaches) { expect_help("projectivize"); }

TEST_F(ProjectivizeCommand, BestMatchChangesHeadsAlone) {
  const Outcome outcome = run("projectivize", kCrossing);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, replaced(kCrossing, "\t4\tatr", "\t3\tatr"));
  EXPECT_EQ(outcome.errors, "copse: 1 sentence, 1 arc changed in 1 tree\n");
}

TEST_F(ProjectivizeCommand, LiftsAndRestores) {
  write_file("in.conllu", kCrossing + kWithoutHeads);
  const Outcome lifted = run("projectivize --method pseudo --input in.conllu --output out.conllu");
  EXPECT_EQ(lifted.status, 0);
  EXPECT_EQ(lifted.errors, "copse: 2 sentences, 1 arc lifted in 1 tree; 1 partial, left alone\n");
  EXPECT_EQ(read_file("out.conllu"), kLifted + replaced(kWithoutHeads, "x|y", "x\\|y"));
  const Outcome restored = run("projectivize --method pseudo --inverse", read_file("out.conllu"));
  EXPECT_EQ(restored.status, 0);
  EXPECT_EQ(restored.errors, "copse: 2 sentences, 1 arc restored in 1 tree; 1 partial, left alone\n");
  EXPECT_EQ(restored.output, kCrossing + kWithoutHeads);
}

TEST_F(ProjectivizeCommand, InverseNeedsNoMethod) {
  EXPECT_EQ(run("projectivize --inverse", kLifted).output, kCrossing);
}

// Word 1 was lifted from word 4, but word 5 has the same label and its arc the same mark.
TEST_F(ProjectivizeCommand, TellsWhatCannotBeRestored) {
  const std::string ambiguous = "# sent_id = a\n" + arc_row(1, "a", "5", "atr") +
                                arc_row(2, "b", "4", "atr") + arc_row(3, "c", "0", "root") +
                                arc_row(4, "d", "3", "sb") + arc_row(5, "e", "3", "sb") + "\n";
  const Outcome lifted = run("projectivize --method pseudo", kCrossing + ambiguous);
  EXPECT_EQ(lifted.status, 0);
  EXPECT_EQ(
      lifted.errors,
      "copse: <stdin>:9: --inverse will restore word 1, 'a', to head 4 instead of 5\n"
      "copse: 2 sentences, 3 arcs lifted in 2 trees, of which --inverse will restore 1 to a wrong head\n");
  EXPECT_EQ(run("projectivize --inverse", lifted.output).output,
            kCrossing + replaced(ambiguous, "\t5\tatr", "\t4\tatr"));
}

TEST_F(ProjectivizeCommand, FilesAreArguments) {
  write_file("a", kCrossing);
  write_file("b", kLifted);
  EXPECT_EQ(run("projectivize --method pseudo a a").output, kLifted + kLifted);
  EXPECT_EQ(run("projectivize --inverse b").output, kCrossing);
  EXPECT_EQ(run("projectivize --inverse --input b").output, kCrossing);
  EXPECT_EQ(run("projectivize --inverse - b", kLifted).output, kCrossing + kCrossing);
  expect_one_line_error(run("projectivize - -"), 2, "FILES: only one file can be the standard input");
}

TEST_F(ProjectivizeCommand, Schemes) {
  EXPECT_EQ(run("projectivize --method pseudo --scheme head+path", kCrossing).output, kLifted);
  EXPECT_EQ(run("projectivize --method pseudo --scheme head", kCrossing).output,
            replaced(kLifted, "sb%", "sb"));
  EXPECT_EQ(run("projectivize --method pseudo --scheme path", kCrossing).output,
            replaced(kLifted, "atr|sb", "atr|"));
}

TEST_F(ProjectivizeCommand, RefusesWhatMakesNoSense) {
  expect_one_line_error(run("projectivize --method best-match --inverse"), 2,
                        "--inverse: only --method pseudo keeps");
  expect_one_line_error(run("projectivize --scheme head"), 2, "--scheme: belongs to --method pseudo");
  expect_one_line_error(run("projectivize --method pseudo --inverse --scheme head"), 2,
                        "--scheme: the labels tell");
  expect_one_line_error(run("projectivize --method pseudo --root single"), 2, "--root: belongs to");
  expect_one_line_error(run("projectivize --method other"), 2,
                        "--method must be best-match or pseudo, not 'other'");
  expect_one_line_error(run("projectivize --method pseudo", "a\tX\t0\n\n"), 1,
                        "<stdin>: FORM POS HEAD files");
  expect_one_line_error(run("projectivize --input missing"), 1, "missing: ");
  expect_one_line_error(run("projectivize", arc_row(1, "a", "2", "x") + arc_row(2, "b", "1", "y") + "\n"), 1,
                        "<stdin>:");
}

}  // namespace
}  // namespace copse::testing
