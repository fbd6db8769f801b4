#include <gtest/gtest.h>

#include <cmath>

#include "copse/error.h"
#include "inference/test_settings.h"
#include "vectors/vector_helpers.h"
#include "vectors/vector_learner.h"

namespace copse::testing {
namespace {

class QuietReport : public VectorReport {
 public:
  explicit QuietReport(int steps = -1) : steps_left_(steps) {}

  void on_vocabulary(const TextVocabulary& vocabulary, std::size_t) override {
    words = vocabulary.words.size();
  }
  void on_progress(const VectorProgress& progress) override { last = progress; }
  bool should_stop() override { return steps_left_-- == 0; }

  std::size_t words = 0;
  VectorProgress last = {};

 private:
  int steps_left_;
};

// Two groups of words that share no characters with each other; those of a group stand in the same places.
const std::vector<std::string> kAnimals = {"dog", "cat", "horse", "mouse", "owl"};
const std::vector<std::string> kVerbs = {"sees", "hunts", "wakes", "finds", "bites"};

void write_toy_text(TrainingText& text, int sentences) {
  std::mt19937_64 random = case_generator(0);
  const auto any = [&](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  for (int k = 0; k < sentences; ++k) {
    for (const std::string& word : {std::string("the"), any(kAnimals), any(kVerbs), std::string("a"),
                                    any(kAnimals), std::string(".")}) {
      text.add(word);
    }
    text.end_sentence();
  }
}

VectorOptions toy_options() {
  VectorOptions options;
  options.dimension = 20;
  options.min_count = 2;
  options.frequent_share = 0.05;
  options.passes = 8;
  return options;
}

WordVectors learn_toy(const VectorOptions& options, int threads, QuietReport& report) {
  TrainingText text(::testing::TempDir());
  write_toy_text(text, 2000);
  TaskPool pool(threads);
  return learn_vectors(text, options, pool, report);
}

double cosine(const WordVectors& vectors, const std::string& a, const std::string& b) {
  const std::vector<float> x = row_of(vectors, vectors.find(a).value());
  const std::vector<float> y = row_of(vectors, vectors.find(b).value());
  double xy = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += x[k] * y[k];
    xx += x[k] * x[k];
    yy += y[k] * y[k];
  }
  return xy / std::sqrt(xx * yy);
}

TEST(VectorLearner, WordsUsedAlikeAreNearestNeighbours) {
  QuietReport report;
  const WordVectors vectors = learn_toy(toy_options(), 1, report);
  EXPECT_EQ(report.words, 13U);
  EXPECT_EQ(report.last.words, report.last.total);
  EXPECT_EQ(report.last.pass, 8);
  for (const auto& [group, others] : {std::pair(kAnimals, kVerbs), std::pair(kVerbs, kAnimals)}) {
    for (const std::string& word : group) {
      double furthest = 1.0;
      double nearest_other = -1.0;
      for (const std::string& mate : group) furthest = std::min(furthest, cosine(vectors, word, mate));
      for (const std::string& other : others) {
        nearest_other = std::max(nearest_other, cosine(vectors, word, other));
      }
      EXPECT_GT(furthest, nearest_other) << word << ", seed " << base_seed();
    }
  }
}

TEST(VectorLearner, TheSameForAnyNumberOfThreads) {
  const auto all_rows = [](const WordVectors& vectors) {
    std::vector<std::vector<float>> rows;
    for (std::size_t word = 0; word < vectors.size(); ++word) rows.push_back(row_of(vectors, word));
    return rows;
  };
  VectorOptions options = toy_options();
  options.passes = 2;
  QuietReport report;
  const auto one = all_rows(learn_toy(options, 1, report));
  for (const int threads : {1, 2, 5})
    EXPECT_EQ(all_rows(learn_toy(options, threads, report)), one) << threads;
  options.seed = 2;
  EXPECT_NE(all_rows(learn_toy(options, 1, report)), one);
}

TEST(VectorLearner, StopsWhenToldTo) {
  QuietReport report(3);
  EXPECT_THROW(learn_toy(toy_options(), 2, report), VectorsStopped);
}

TEST(VectorLearner, VectorsThatGrowWithoutBoundAreAnError) {
  VectorOptions options = toy_options();
  options.rate = 50.0;
  QuietReport report;
  try {
    learn_toy(options, 1, report);
    ADD_FAILURE() << "learnt at a rate of 50";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("beyond all bounds"), std::string::npos) << error.what();
  }
}

TEST(VectorLearner, TextsThatSayNothing) {
  TaskPool pool(1);
  QuietReport report;
  const auto learn = [&](std::initializer_list<const char*> words, std::uint64_t min_count) {
    TrainingText text(::testing::TempDir());
    for (const char* word : words) {
      text.add(word);
      text.end_sentence();
    }
    VectorOptions options;
    options.min_count = min_count;
    return learn_vectors(text, options, pool, report);
  };
  EXPECT_THROW(learn({}, 1), DataError);
  EXPECT_THROW(learn({"a", "b", "a"}, 3), DataError);
  // No word stands beside another: there is nothing to learn, but no harm either.
  EXPECT_EQ(learn({"a", "b", "a"}, 1).size(), 2U);
  EXPECT_EQ(learn({"a", "a"}, 1).size(), 1U);
}

}  // namespace
}  // namespace copse::testing
