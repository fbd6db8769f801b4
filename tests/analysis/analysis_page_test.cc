#include <gtest/gtest.h>

#include <regex>

#include "analysis/analysis_helpers.h"
#include "analysis/analysis_report.h"
#include "render/xml_checker.h"

namespace copse::testing {
namespace {

constexpr std::string_view kDoctype = "<!DOCTYPE html>\n";

std::string checked_page(const Analysis& analysis) {
  const std::string page = analysis_page(analysis);
  EXPECT_TRUE(page.starts_with(kDoctype));
  EXPECT_EQ(xml_defect(page.substr(kDoctype.size())), "");
  return page;
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(AnalysisPage, HasAllSections) {
  const std::string page = checked_page(analysis_of(kGold, {kSystem, kGold}));
  for (const std::string id : {"scores", "structure", "tags", "labels", "probabilities", "sentences"}) {
    EXPECT_EQ(occurrences(page, "<section id=\"" + id + "\">"), 1U) << id;
    EXPECT_EQ(occurrences(page, "<a href=\"#" + id + "\">"), 1U) << id;
  }
  EXPECT_EQ(occurrences(page, "<details class=\"sentence\""), 1U);
  EXPECT_EQ(occurrences(page, "<figure class=\"tree\""), 2U);
  EXPECT_EQ(occurrences(page, "<g class=\"missed\"><title>"), 2U);
  EXPECT_EQ(occurrences(page, "<g class=\"extra\"><title>"), 1U);  // the other word has no head
  EXPECT_EQ(occurrences(page, "advmod ≠ obl"), 1U);
}

TEST(AnalysisPage, LeavesOutWhatThereIsNotToSay) {
  const std::string text = row("1", "a", "X", "X", "0", "_") + row("2", "b", "X", "X", "1", "_") + "\n";
  const std::string page = checked_page(analysis_of(text, {text}));
  for (const std::string id : {"labels", "probabilities", "sentences"}) {
    EXPECT_EQ(page.find("id=\"" + id + "\""), std::string::npos) << id;
    EXPECT_EQ(page.find("href=\"#" + id + "\""), std::string::npos) << id;
  }
  EXPECT_EQ(page.find("Agreement"), std::string::npos);
  EXPECT_EQ(page.find("LAS"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(AnalysisPage, NothingIsScored) {
  const std::string text = row("1", ".", "PUNCT", ".", "0", "root") + "\n";
  AnalysisOptions options;
  options.evaluation.punctuation = Punctuation::ud;
  const Analysis analysis = analysis_of(text, {text}, options);
  EXPECT_EQ(checked_page(analysis).find("nan"), std::string::npos);
  EXPECT_NE(analysis_csv(analysis).find("scores,A,,uas,0,0,\n"), std::string::npos);
}

TEST(AnalysisPage, TextsOfFilesAreOnlyTexts) {
  const std::string evil = "</script><script>alert(1)</script>\"'&amp;<!--";
  const std::string comments = "# sent_id = " + evil + "\n# text = " + evil + "\n";
  const std::string gold =
      comments + row("1", evil, evil, evil, "0", evil) + row("2", evil, evil, "_", "1", evil) + "\n";
  const std::string system =
      row("1", evil, "_", "_", "2", "x" + evil, "P=0.5") + row("2", evil, "_", "_", "0", evil) + "\n";
  Analysis analysis = analysis_of(gold, {system, gold});
  analysis.gold_file = evil;
  analysis.systems[0].name = evil;
  analysis.systems[0].file = evil;
  analysis.systems[1].name = "\x01\xFF" + evil;
  const std::string page = checked_page(analysis);
  EXPECT_EQ(occurrences(page, "<script"), 1U);
  EXPECT_EQ(occurrences(page, "</script"), 1U);
  EXPECT_EQ(page.find("alert(1)</script"), std::string::npos);
}

TEST(AnalysisPage, NeedsNoOtherFile) {
  const std::string page = checked_page(analysis_of(kGold, {kSystem}));
  EXPECT_EQ(occurrences(page, "http"), 1U);  // http-equiv
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
  const std::regex link("href=\"[^#]");
  EXPECT_FALSE(std::regex_search(page.substr(0, page.find("<section")), link));
}

TEST(AnalysisPage, LongSentencesHaveAListInsteadOfADrawing) {
  std::string gold;
  std::string system;
  for (int word = 1; word <= 3000; ++word) {
    gold += row(std::to_string(word), "w", "X", "X", std::to_string(word - 1), "dep");
    system += row(std::to_string(word), "w", "X", "X", word == 1 ? "0" : "1", "dep");
  }
  const std::string page = checked_page(analysis_of(gold + "\n", {system + "\n"}));
  EXPECT_NE(page.find("Too long to draw"), std::string::npos);
  EXPECT_LT(page.size(), 300'000U);
}

TEST(AnalysisPage, SystemsMayHaveCyclesAndSelfLoops) {
  const std::string gold = row("1", "a", "X", "X", "0", "x") + row("2", "b", "X", "X", "1", "x") +
                           row("3", "c", "X", "X", "1", "x") + "\n";
  const std::string system = row("1", "a", "X", "X", "2", "x") + row("2", "b", "X", "X", "1", "x") +
                             row("3", "c", "X", "X", "3", "x") + "\n";
  EXPECT_NE(checked_page(analysis_of(gold, {system})).find("no path"), std::string::npos);
}

TEST(AnalysisPage, ManySystems) {
  const std::string page = checked_page(analysis_of(kGold, std::vector<std::string>(11, kSystem)));
  EXPECT_NE(page.find("class=\"marker s7\""), std::string::npos);
  EXPECT_EQ(page.find("class=\"marker s8\""), std::string::npos);  // the first style again
}

TEST(AnalysisCsv, OneMeasurementPerLine) {
  Analysis analysis = analysis_of(kGold, {kSystem});
  analysis.systems[0].name = "a,\"b\"";
  const std::string csv = analysis_csv(analysis);
  EXPECT_TRUE(
      csv.starts_with("table,system,bin,measure,part,whole,value\nscores,\"a,\"\"b\"\"\",,uas,5,7,0.714"));
  EXPECT_NE(csv.find("\ndependency_length,\"a,\"\"b\"\"\",root,recall,2,2,1\n"), std::string::npos);
  EXPECT_NE(csv.find("\nlabel_pairs,\"a,\"\"b\"\"\",advmod → obl,right_heads,1,1,1\n"), std::string::npos);
  EXPECT_EQ(csv.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
