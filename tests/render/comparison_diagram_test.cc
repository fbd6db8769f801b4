#include "render/comparison_diagram.h"

#include <gtest/gtest.h>

#include "evaluation/evaluation_helpers.h"
#include "render/xml_checker.h"

namespace copse::testing {
namespace {

const std::vector<ComparedWord> kVerdicts = {{},
                                             {Verdict::right, true},
                                             {Verdict::wrong_label, true},
                                             {Verdict::right, true},
                                             {Verdict::wrong_head, true},
                                             {Verdict::right, true},
                                             {Verdict::wrong_head, false}};

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ComparisonDiagram, GoldAboveAndWrongArcsBelow) {
  const ArcDiagram diagram = draw_comparison(sentence_of(kGoldDogs), sentence_of(kSystemDogs), kVerdicts);
  EXPECT_EQ(xml_defect("<g>\n" + diagram.markup + "</g>\n"), "");
  EXPECT_EQ(occurrences(diagram.markup, "<g class=\"both\">"), 3U);
  EXPECT_EQ(occurrences(diagram.markup, "<g class=\"both relabelled\">"), 1U);
  EXPECT_EQ(occurrences(diagram.markup, "<g class=\"missed\">"), 1U);
  EXPECT_EQ(occurrences(diagram.markup, "<g class=\"missed pale\">"), 1U);
  EXPECT_EQ(occurrences(diagram.markup, "<g class=\"extra\">"), 1U);  // word 6 has no head
  EXPECT_NE(diagram.markup.find(">nsubj:pass ≠ nsubj<"), std::string::npos);
  EXPECT_NE(diagram.markup.find("only gold: too → , (punct); system: left → , (punct), P = 0.6000"),
            std::string::npos);
  EXPECT_NE(diagram.markup.find("system: no head"), std::string::npos);
}

TEST(ComparisonDiagram, IsOnlyAsHighAsNeeded) {
  const Sentence gold = sentence_of(kGoldDogs);
  const std::vector<ComparedWord> right(7);
  EXPECT_LT(draw_comparison(gold, gold, right).height,
            draw_comparison(gold, sentence_of(kSystemDogs), kVerdicts).height);
  EXPECT_EQ(draw_comparison(Sentence(), Sentence(), std::vector<ComparedWord>(1)).markup, "");
}

TEST(ComparisonDiagram, RefusesWhatDoesNotMatch) {
  const Sentence gold = sentence_of(kGoldDogs);
  EXPECT_THROW(draw_comparison(gold, sentence_of(kGoldShout), kVerdicts), std::invalid_argument);
  EXPECT_THROW(draw_comparison(gold, gold, std::vector<ComparedWord>(6)), std::invalid_argument);
  Sentence outside = gold;
  outside[1].set_head(9);
  EXPECT_THROW(draw_comparison(outside, gold, kVerdicts), std::invalid_argument);
  EXPECT_THROW(draw_comparison(gold, outside, kVerdicts), std::invalid_argument);
}

TEST(ComparisonDiagram, SystemsMayBeWrongInAnyWay) {
  Sentence system = sentence_of(kGoldDogs);
  for (int word = 1; word <= system.size(); ++word) system[word].set_head(word);
  const std::vector<ComparedWord> wrong(7, {Verdict::wrong_head, true});
  const ArcDiagram diagram = draw_comparison(sentence_of(kGoldDogs), system, wrong);
  EXPECT_EQ(xml_defect("<g>\n" + diagram.markup + "</g>\n"), "");
  EXPECT_EQ(occurrences(diagram.markup, "class=\"extra\""), 0U);  // an arc to itself cannot be drawn
}

}  // namespace
}  // namespace copse::testing
