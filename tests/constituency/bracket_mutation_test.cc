// Mutates valid bracket files at random and checks the property that the fuzz target checks, too.
#include <gtest/gtest.h>

#include <random>

#include "constituency/bracket_property.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

const std::string kSample =
    "( (S (`` ``) (NP-SBJ-1 (NNP Ann) (POS 's) (NN dog)) (VP (MD will) (VP (VB bark) (NP (-NONE- *-1))\n"
    "    (PP-LOC (IN at) (NP (DT the) (NN cat))))) (. .) ))\r\n"
    "(FRAG (NP (-NONE- *)) (PRN (-LRB- -LRB-) (ADJP=2 (QP (RB about) (CD 5)) (JJ né)) (-RRB- -RRB-)))\n"
    "<S ID=3>\n"
    "( (IP (NP-SBJ (NR 安) (NN 雨)) (VP (VV 唱) (PU 。))))\n"
    "(UH no)\n";

std::string mutated(std::mt19937_64& random) {
  static const std::vector<std::string> insertions = {"(",
                                                      ")",
                                                      " ",
                                                      "\n",
                                                      "\r",
                                                      "((",
                                                      "))",
                                                      "(NN x)",
                                                      "( )",
                                                      "(-NONE- *)",
                                                      "<",
                                                      "\t",
                                                      std::string(1, '\0'),
                                                      "\xFF",
                                                      "\xE9\x9B",
                                                      "\xEF\xBB\xBF",
                                                      "\x1F\x8B",
                                                      "-",
                                                      "=",
                                                      "_",
                                                      "#",
                                                      "é"};
  const auto below = [&](size_t limit) { return limit == 0 ? size_t{0} : random() % limit; };
  std::string text = kSample;
  for (size_t count = below(4); count > 0; --count) {
    const size_t place = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.insert(place, insertions[below(insertions.size())]);
        break;
      case 1:
        text.erase(place, 1 + below(6));
        break;
      case 2:
        text.insert(place, text.substr(below(text.size() + 1), below(30)));
        break;
      case 3:
        if (place < text.size()) text[place] = static_cast<char>(random());
        break;
      default:
        if (below(4) == 0) text.resize(place);
    }
  }
  return text;
}

TEST(BracketMutation, FilesAreRefusedOrBecomeTrees) {
  const ConversionRules english = ConversionRules::english();
  const ConversionRules chinese = ConversionRules::chinese();
  const int cases = scaled(20'000);
  int readable = 0;
  for (int number = 0; number < cases; ++number) {
    const std::string name = case_name(number);
    std::mt19937_64 random = case_generator(number);
    const std::string text = mutated(random);
    const auto violation = bracket_violation(text, number % 2 == 0 ? english : chinese);
    ASSERT_FALSE(violation.has_value())
        << name << ": " << *violation << "; the bytes: " << ::testing::PrintToString(text);
    if (bracket_error(text) == "no error") ++readable;
  }
  // Both outcomes must occur, or the test looks at one side only.
  if (cases >= 1000) {
    EXPECT_GT(readable, cases / 10);
    EXPECT_LT(readable, cases - cases / 10);
  }
}

}  // namespace
}  // namespace copse::testing
