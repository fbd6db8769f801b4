#include <cctype>
#include <nlohmann/json.hpp>

#include "app/toy_program.h"

namespace copse::testing {
namespace {

class PackCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train --train train --model model --factorization sibling --iterations 5").status, 0);
  }

  std::size_t size(const std::string& name) const { return read_file(name).size(); }
  // "FILE: SIZE bytes, ..."
  static std::string bytes_of_line(const std::string& line) {
    std::string digits;
    for (const char c : line.substr(line.find(": ") + 2)) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
      if (c == ' ') break;
    }
    return digits;
  }
};

TEST_F(PackCommand, SaysWhatItDoes) {
  const Outcome outcome = run("pack model --output small --mantissa 1 --dev dev");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LT(size("small"), size("model"));
  EXPECT_EQ(outcome.errors,
            "rounding the weights\nfitting the temperature to 20 sentences\n"
            "parsing 20 sentences with the model as it was\nparsing 20 sentences with the packed model\n");
  EXPECT_NE(outcome.output.find("\ndevelopment data: UAS "), std::string::npos) << outcome.output;
}

TEST_F(PackCommand, SaysTheSizesBeforeAndAfter) {
  const std::string before = std::to_string(size("model"));
  const Outcome outcome = run("pack model --output small --mantissa 1");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string after = std::to_string(size("small"));
  EXPECT_NE(before, after);
  EXPECT_EQ(bytes_of_line(outcome.output), before) << outcome.output;
  EXPECT_EQ(bytes_of_line(outcome.output.substr(outcome.output.find('\n'))), after) << outcome.output;
}

TEST_F(PackCommand, NeverMakesAFileLarger) {
  ASSERT_EQ(run("pack model --output small --weights 50 --mantissa 2 --tag 10").status, 0);
  const std::string small = read_file("small");
  for (const std::string options : {"", "--size 1G", "--mantissa 7 --tag 20", "--weights 100"}) {
    SCOPED_TRACE(options);
    ASSERT_EQ(run("pack small --output again " + options).status, 0);
    EXPECT_TRUE(read_file("again") == small);
  }
  // Nor is a model that was never packed.
  ASSERT_EQ(run("pack model --output again").status, 0);
  EXPECT_LE(size("again"), size("model"));
}

TEST_F(PackCommand, TheFactOfBeingPackedIsThereOnce) {
  ASSERT_EQ(run("pack model --output once --weights 100 --mantissa 3").status, 0);
  ASSERT_EQ(run("pack once --output twice --weights 50 --mantissa 2").status, 0);
  const std::string text = run("info twice").output;
  const auto first = text.find("\npacked ");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find("50 of 100 weights, 2 bits"), std::string::npos) << text;
  EXPECT_EQ(text.find("\npacked ", first + 1), std::string::npos) << text;
}

TEST_F(PackCommand, AModelThatIsNotThere) {
  expect_one_line_error(run("pack absent --output small"), 1,
                        "absent: cannot open this file, and there is no model of that name");
}

TEST_F(PackCommand, BadUsageAndBadData) {
  expect_one_line_error(run("pack model --output small --size 0"), 2, "--size must be ");
  expect_one_line_error(run("pack model --output small --size -5"), 2, "--size must be ");
  expect_one_line_error(run("pack model --output ./dev --dev dev"), 2,
                        "--output: './dev' would be overwritten");
  write_file("headless", "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n\n");
  write_file("empty", "");
  for (const std::string dev : {"headless", "empty"}) {
    expect_one_line_error(run("pack model --output small --dev " + dev), 1, dev + ": no word has a head");
  }
  EXPECT_FALSE(exists("small"));
}

}  // namespace
}  // namespace copse::testing
