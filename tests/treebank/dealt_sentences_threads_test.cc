// What sentences are after a journey between processes: the same.
#include <gtest/gtest.h>

#include "parallel/thread_team.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"
#include "treebank/conll_samples.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

std::vector<Sentence> sentences_of_all_kinds() {
  std::vector<Sentence> sentences = read_text(testing::ToyGrammar(7).treebank(20));
  const std::string layout = "\xEF\xBB\xBF\r\n\r\n1\tJa\t_\t_\t_\t_\t0\t_\t_\t_";
  for (const std::string& text :
       {std::string(kConlluSample), std::string(kConllxSample), std::string(kTab3Sample), layout}) {
    for (Sentence& sentence : read_text(text)) sentences.push_back(std::move(sentence));
  }
  // What no file has, but a program may make.
  sentences.emplace_back();
  Sentence& odd = sentences.emplace_back();
  odd.add_word("x").set_head(7);
  odd.add_multiword(3, 9).set_misc("SpaceAfter=No");
  odd.add_empty_node(5);
  odd.add_empty_node(5).set_form("y");
  return sentences;
}

class Sizes : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Sizes, ::testing::Values(1, 2, 3, 7));

TEST_P(Sizes, OfTeamsRoundTrip) {
  const std::vector<Sentence> sentences = sentences_of_all_kinds();
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, sentences.size()}) {
    const std::vector<Sentence> all(sentences.begin(),
                                    sentences.begin() + static_cast<std::ptrdiff_t>(count));
    run_team(GetParam(), [&](Team& team) {
      const std::vector<Sentence> own = keep_own(team, all);
      for (std::size_t k = 0; k < own.size(); ++k) EXPECT_EQ(own[k], all[number_of_own(team, k)]);
      EXPECT_EQ(team.sum(static_cast<std::int64_t>(own.size())), static_cast<std::int64_t>(count));
      EXPECT_EQ(gather_sentences(team, own), all);
    });
  }
}

TEST_P(Sizes, OfTeamsDealAnew) {
  const std::vector<Sentence> all = sentences_of_all_kinds();
  run_team(GetParam(), [&](Team& team) {
    // The last process has about two thirds of them.
    std::vector<Sentence> sentences;
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < all.size(); ++number) {
      if (team.rank() != (number % 3 == 1 ? 0 : team.size() - 1)) continue;
      sentences.push_back(all[number]);
      numbers.push_back(number);
    }
    EXPECT_EQ(deal_anew(team, std::move(sentences), numbers), keep_own(team, all));
  });
}

TEST(DealtSentences, SharesThatAreNotDealtOutAreAMistake) {
  const std::vector<Sentence> sentences = sentences_of_all_kinds();
  EXPECT_THROW(run_team(3,
                        [&](Team& team) {
                          // Rank 0 has less than rank 2.
                          gather_sentences(team, std::span(sentences).first(team.rank() == 0 ? 1 : 3));
                        }),
               std::logic_error);
}

}  // namespace
}  // namespace copse
