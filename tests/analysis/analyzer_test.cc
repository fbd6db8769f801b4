#include "analysis/analyzer.h"

#include <gtest/gtest.h>

#include <random>

#include "analysis/analysis_helpers.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

ArcCounts counts_in(const Analysis& analysis, Property property, const std::string& bin, size_t system = 0) {
  const Breakdown* breakdown = analysis.breakdown(property);
  if (breakdown == nullptr) return {};
  for (size_t k = 0; k < breakdown->bins.size(); ++k) {
    if (breakdown->bins[k] == bin) return breakdown->systems[system][k];
  }
  return {};
}

ArcCounts sum(const Breakdown& breakdown, size_t system) {
  ArcCounts total;
  for (const ArcCounts& bin : breakdown.systems[system]) total += bin;
  return total;
}

// Wrong in the system: word 4 has head 3 rather than 5, word 6 has none, word 5 has another label.
TEST(Analyzer, CountsArcsInTheTreeThatTheyAreOf) {
  const Analysis analysis = analysis_of(kGold, {kSystem});
  EXPECT_EQ(counts_in(analysis, Property::dependency_length, "1"), (ArcCounts{3, 2, 2, 3, 2, 2}));
  EXPECT_EQ(counts_in(analysis, Property::dependency_length, "2"), (ArcCounts{1, 1, 0, 1, 1, 0}));
  EXPECT_EQ(counts_in(analysis, Property::dependency_length, "3"), (ArcCounts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts_in(analysis, Property::dependency_length, "root"), (ArcCounts{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts_in(analysis, Property::root_distance, "3"), (ArcCounts{2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts_in(analysis, Property::root_distance, "2"), (ArcCounts{3, 2, 1, 3, 2, 1}));
  EXPECT_EQ(counts_in(analysis, Property::direction, "left"), (ArcCounts{3, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts_in(analysis, Property::tag, "PUNCT"), (ArcCounts{3, 1, 1, 2, 1, 1}));
  EXPECT_EQ(counts_in(analysis, Property::label, "nsubj"), (ArcCounts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts_in(analysis, Property::label, "advmod"), (ArcCounts{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(counts_in(analysis, Property::label, "obl"), (ArcCounts{0, 0, 0, 1, 1, 0}));
  const Breakdown& lengths = *analysis.breakdown(Property::sentence_length);
  ASSERT_EQ(lengths.bins, (std::vector<std::string>{"1–10"}));
  EXPECT_EQ(lengths.complete[0][0].part, 1);
  EXPECT_EQ(lengths.complete[0][0].whole, 2);
}

TEST(Analyzer, BinsOfNumbersHaveNamesAndBounds) {
  const NumberBins& bins = number_bins(Property::dependency_length);
  EXPECT_EQ(bins.name(bins.bin_of(1)), "1");
  EXPECT_EQ(bins.name(bins.bin_of(7)), "7");
  EXPECT_EQ(bins.name(bins.bin_of(8)), "8–10");
  EXPECT_EQ(bins.name(bins.bin_of(10)), "8–10");
  EXPECT_EQ(bins.name(bins.bin_of(30)), "21–30");
  EXPECT_EQ(bins.name(bins.bin_of(31)), "31+");
  EXPECT_EQ(bins.name(bins.bin_of(9999)), "31+");
  EXPECT_EQ(bins.name(bins.bin_of(0)), "0");
  EXPECT_EQ(bins.name(bins.bin_of(-1)), "root");
  EXPECT_EQ(number_bins(Property::root_distance).name(number_bins(Property::root_distance).bin_of(-1)),
            "no path");
}

TEST(Analyzer, TagIsXposWhereThereIsNoUpos) {
  const std::string text =
      row("1", "a", "_", "NN", "0", "root") + row("2", "b", "NOUN", "NN", "1", "dep") + "\n";
  const Analysis analysis = analysis_of(text, {text});
  EXPECT_EQ(analysis.breakdown(Property::tag)->bins, (std::vector<std::string>{"NN", "NOUN"}));
}

TEST(Analyzer, WithoutLabelsNothingIsSaidAboutThem) {
  const Analysis both = analysis_of(without_labels(kGold), {without_labels(kSystem)});
  EXPECT_EQ(both.breakdown(Property::label), nullptr);
  EXPECT_TRUE(both.systems[0].labels.empty());
  EXPECT_FALSE(both.systems[0].scores.labelled);
  const Analysis mixed = analysis_of(kGold, {without_labels(kSystem), kSystem});
  ASSERT_NE(mixed.breakdown(Property::label), nullptr);
  EXPECT_EQ(counts_in(mixed, Property::label, "nsubj", 0), (ArcCounts{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(counts_in(mixed, Property::label, "nsubj", 1), (ArcCounts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts_in(mixed, Property::label, "_", 0), ArcCounts{});
  EXPECT_EQ(mixed.sentences.at(0).systems[0].wrong_labels, 0);
  EXPECT_EQ(mixed.sentences.at(0).systems[1].wrong_labels, 1);
}

TEST(Analyzer, KeepsTheWorstSentences) {
  const std::string good = row("1", "a", "X", "X", "0", "root") + row("2", "b", "X", "X", "1", "dep") + "\n";
  const std::string bad = row("1", "a", "X", "X", "2", "dep") + row("2", "b", "X", "X", "0", "root") + "\n";
  const std::string half = row("1", "a", "X", "X", "0", "root") + row("2", "b", "X", "X", "0", "root") + "\n";
  AnalysisOptions options;
  options.sentences = 2;
  const Analysis analysis = analysis_of(good + good + good + good, {good + half + bad + half}, options);
  ASSERT_EQ(analysis.sentences.size(), 2U);
  EXPECT_EQ(analysis.sentences[0].number, 3);
  EXPECT_EQ(analysis.sentences[0].systems[0].wrong_heads, 2);
  EXPECT_EQ(analysis.sentences[1].number, 2);
  options.sentences = 0;
  EXPECT_TRUE(analysis_of(good, {bad}, options).sentences.empty());
  EXPECT_TRUE(analysis_of(good, {good}).sentences.empty());
}

TEST(Analyzer, Agreement) {
  const Analysis analysis = analysis_of(kGold, {kSystem, kGold});
  EXPECT_EQ(analysis.agreement.words, 7);
  EXPECT_EQ(analysis.agreement.all_right, 5);
  EXPECT_EQ(analysis.agreement.all_wrong, 0);
  EXPECT_EQ(analysis.agreement.only_right, (std::vector<std::vector<int64_t>>{{0, 0}, {2, 0}}));
}

// Every word is in one bin of each property, whatever the system wrote.
TEST(Analyzer, SumsOverBinsAreTheScores) {
  const std::vector<std::string> kLabels = {"_", "a", "b", "b:c"};
  for (int number = 0; number < scaled(200); ++number) {
    std::mt19937_64 generator(base_seed() + number);
    SCOPED_TRACE("COPSE_TEST_SEED=" + std::to_string(base_seed()) + ", case " + std::to_string(number));
    std::string gold;
    std::vector<std::string> systems(2);
    for (uint64_t sentence = 0; sentence <= generator() % 4; ++sentence) {
      const int words = 1 + static_cast<int>(generator() % 60);
      for (int word = 1; word <= words; ++word) {
        const std::string tag = generator() % 3 == 0 ? "PUNCT" : "X";
        // Heads before the word: no cycles in the gold tree.
        gold += row(std::to_string(word), "w", tag, "_",
                    std::to_string(generator() % static_cast<uint64_t>(word)), kLabels[generator() % 4]);
        for (std::string& system : systems) {
          const auto head = static_cast<int>(generator() % static_cast<uint64_t>(words + 2)) - 1;
          system += row(std::to_string(word), "w", "_", "_",
                        head == kNoHead || head == word ? "_" : std::to_string(head),
                        kLabels[generator() % 4], generator() % 2 == 0 ? "P=0.5" : "_");
        }
      }
      gold += "\n";
      for (std::string& system : systems) system += "\n";
    }
    AnalysisOptions options;
    options.evaluation.punctuation = generator() % 2 == 0 ? Punctuation::ud : Punctuation::keep;
    const Analysis analysis = analysis_of(gold, systems, options);
    for (size_t k = 0; k < systems.size(); ++k) {
      const Scores& scores = analysis.systems[k].scores;
      for (const Breakdown& breakdown : analysis.breakdowns) {
        const ArcCounts total = sum(breakdown, k);
        EXPECT_EQ(total.gold, scores.total.scored_words);
        EXPECT_EQ(total.found, scores.total.right_heads);
        if (!scores.labelled) continue;
        EXPECT_EQ(total.predicted, scores.total.attached);
        EXPECT_EQ(total.right, scores.total.right_heads);
        EXPECT_EQ(total.found_labelled, scores.total.right_labels);
        EXPECT_EQ(total.right_labelled, scores.total.right_labels);
      }
    }
  }
}

}  // namespace
}  // namespace copse::testing
