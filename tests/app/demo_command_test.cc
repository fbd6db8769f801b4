#include <algorithm>
#include <numeric>
#include <regex>
#include <sstream>
#include <vector>

#include "app/program.h"
#include "render/text_width.h"

namespace copse::testing {
namespace {

class DemoCommand : public ProgramTest {};

std::vector<double> numbers_after(const std::string& text, const std::string& pattern) {
  std::vector<double> numbers;
  const std::regex regex(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    numbers.push_back(std::stod((*match)[1]));
  }
  return numbers;
}

TEST_F(DemoCommand, FitsIntoEightyColumns) {
  for (const std::string style : {"", "--ascii", "--columns 80"}) {
    const Outcome demo = run("demo " + style);
    EXPECT_EQ(demo.status, 0);
    EXPECT_EQ(demo.errors, "");
    std::istringstream lines(demo.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  }
}

TEST_F(DemoCommand, SaysThatThePotentialsAreHandMade) {
  EXPECT_NE(run("demo").output.find("made up by hand"), std::string::npos);
}

TEST_F(DemoCommand, ProbabilitiesOfTheBestTreesFallAndAddUp) {
  const std::string text = run("demo").output;
  const std::vector<double> trees = numbers_after(text, "P = (0\\.[0-9]+)");
  ASSERT_GE(trees.size(), 3U);
  EXPECT_TRUE(std::is_sorted(trees.rbegin(), trees.rend()));
  const double sum = std::accumulate(trees.begin(), trees.end(), 0.0);
  EXPECT_LE(sum, 1.0);
  const std::vector<double> together = numbers_after(text, "Together they have (0\\.[0-9]+)");
  ASSERT_EQ(together.size(), 1U);
  EXPECT_NEAR(together[0], sum, 3e-4);
}

TEST_F(DemoCommand, HeadsOfTheAmbiguousWordAddUpUnderEveryFactorization) {
  const std::string text = run("demo --ascii").output;
  for (const std::string name : {"first", "sibling", "grandchild", "grandsibling"}) {
    std::smatch line;
    ASSERT_TRUE(std::regex_search(text, line, std::regex("\n  " + name + " .*\n"))) << name;
    const std::vector<double> shares = numbers_after(line.str(), "([0-9.]+)%");
    EXPECT_EQ(shares.size(), 3U);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 100.0, 0.2) << line.str();
  }
}

TEST_F(DemoCommand, MinimumRiskIsNotBelowTheBestTree) {
  const std::string text = run("demo").output;
  const std::vector<double> minimum_risk = numbers_after(text, "expected right arcs of [0-9]+: ([0-9.]+);");
  const std::vector<double> best = numbers_after(text, "of the best tree: ([0-9.]*[0-9])");
  ASSERT_EQ(minimum_risk.size(), 1U);
  ASSERT_EQ(best.size(), 1U);
  EXPECT_GE(minimum_risk[0], best[0]);
}

TEST_F(DemoCommand, AsciiIsAscii) {
  const auto is_ascii = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char byte) { return byte < 0x80; });
  };
  EXPECT_TRUE(is_ascii(run("demo --ascii").output));
  EXPECT_TRUE(is_ascii(run_shell("LC_ALL=C \"$COPSE_BINARY\" demo").output));
  EXPECT_FALSE(is_ascii(run_shell("LC_ALL=C.UTF-8 \"$COPSE_BINARY\" demo").output));
}

TEST_F(DemoCommand, ColourOnlyWhenAskedForOrOnATerminal) {
  EXPECT_EQ(run("demo").output.find('\x1B'), std::string::npos);
  EXPECT_NE(run("demo --colour always").output.find('\x1B'), std::string::npos);
  EXPECT_NE(run("demo --color always").output.find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
