#include <algorithm>
#include <cmath>

#include "app/toy_program.h"
#include "treebank/conll_helpers.h"
#include "treebank/head_probability.h"

namespace copse::testing {
namespace {

class SelectCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train --train train --iterations 4 --model model --factorization first").status, 0);
    write_file("pool", toy_treebank(700, 5));
  }
  std::vector<Sentence> selected(const std::string& options) const {
    const Outcome outcome = run("select --model model --input pool " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return read_text(outcome.output);
  }
  // The same by hand, from what `copse parse` says.
  std::vector<double> uncertainties(bool by_entropy, bool per_word) const {
    std::vector<double> all;
    for (const Sentence& tree : read_text(run("parse --model model --probabilities --input pool").output)) {
      double sum = 0.0;
      if (by_entropy)
        sum = std::stod(std::string(*tree.comment("tree_entropy")));
      else
        for (const Token& word : tree.words()) sum += 1.0 - *head_probability(word);
      all.push_back(per_word ? sum / tree.size() : sum);
    }
    std::sort(all.rbegin(), all.rend());
    return all;
  }
};

TEST_F(SelectCommand, HelpTeaches) { expect_help("select"); }

TEST_F(SelectCommand, TheLeastCertainSentencesComeFirst) {
  for (const bool by_entropy : {true, false}) {
    for (const bool per_word : {true, false}) {
      const std::vector<double> expected = uncertainties(by_entropy, per_word);
      const std::vector<Sentence> sentences =
          selected(std::string("--most-uncertain 20 --by ") + (by_entropy ? "entropy" : "error") + " --per " +
                   (per_word ? "word" : "sentence"));
      ASSERT_EQ(sentences.size(), 20U);
      for (std::size_t k = 0; k < sentences.size(); ++k) {
        EXPECT_NEAR(std::stod(std::string(*sentences[k].comment("uncertainty"))), expected[k], 2e-3);
      }
    }
  }
}

TEST_F(SelectCommand, SentencesAreAsTheyWere) {
  const std::vector<Sentence> pool = read_text(read_file("pool"));
  const std::vector<Sentence> all = selected("--most-uncertain 1000 --min-words 8");
  std::size_t long_enough = 0;
  for (const Sentence& sentence : pool) long_enough += sentence.size() >= 8 ? 1 : 0;
  EXPECT_EQ(all.size(), long_enough);
  for (const Sentence& sentence : all) {
    const std::string id(*sentence.sent_id());
    const auto number = static_cast<std::size_t>(std::stoi(id.substr(4))) - 1;
    ASSERT_EQ(pool[number].sent_id(), id);
    for (int word = 1; word <= sentence.size(); ++word) EXPECT_EQ(sentence[word], pool[number][word]);
  }
}

TEST_F(SelectCommand, UsageErrors) {
  EXPECT_EQ(run("select --model model", "").status, 2);
  EXPECT_EQ(run("select --model model --most-uncertain 0", "").status, 2);
  EXPECT_EQ(run("select --model absent --most-uncertain 1", "").status, 1);
}

}  // namespace
}  // namespace copse::testing
