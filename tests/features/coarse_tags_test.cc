#include "features/coarse_tags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "parallel/thread_team.h"

namespace copse {
namespace {

Token tagged(std::string_view upos, std::string_view xpos) {
  Token token;
  token.set_form("word");
  token.set_upos(upos);
  token.set_xpos(xpos);
  return token;
}

std::string coarse(std::string_view fine, CoarseRule rule) {
  const Token token = tagged("_", fine);
  return std::string(coarse_tag(token, rule));
}

Sentence sentence_of(const std::vector<std::pair<std::string, std::string>>& tags) {
  Sentence sentence;
  for (const auto& [upos, xpos] : tags) sentence.add_word(tagged(upos, xpos));
  return sentence;
}

CoarseRule chosen(const std::vector<std::pair<std::string, std::string>>& tags) {
  const std::vector<Sentence> sentences = {Sentence(), sentence_of(tags)};
  return choose_coarse_rule(sentences);
}

TEST(CoarseRule, NamesCanBeParsed) {
  for (const CoarseRule rule : {CoarseRule::treebank, CoarseRule::english, CoarseRule::czech,
                                CoarseRule::chinese, CoarseRule::none}) {
    EXPECT_EQ(parse_coarse_rule(name(rule)), rule);
  }
  EXPECT_EQ(name(CoarseRule::czech), "czech");
  EXPECT_EQ(parse_coarse_rule("automatic"), std::nullopt);
  EXPECT_EQ(parse_coarse_rule(""), std::nullopt);
}

TEST(FineTag, IsXposOrElseUpos) {
  EXPECT_EQ(fine_tag(tagged("NOUN", "NN")), "NN");
  EXPECT_EQ(fine_tag(tagged("NOUN", "_")), "NOUN");
  EXPECT_EQ(fine_tag(tagged("_", "NN")), "NN");
  EXPECT_EQ(fine_tag(tagged("_", "_")), "_");
}

TEST(CoarseTag, OfATreebankIsItsColumn) {
  EXPECT_EQ(coarse_tag(tagged("NOUN", "NN"), CoarseRule::treebank), "NOUN");
  EXPECT_EQ(coarse_tag(tagged("NOUN", "_"), CoarseRule::treebank), "NOUN");
  EXPECT_EQ(coarse_tag(tagged("_", "NN"), CoarseRule::treebank), "_");
}

TEST(CoarseTag, OfEnglishHasTwoCharacters) {
  EXPECT_EQ(coarse("NNPS", CoarseRule::english), "NN");
  EXPECT_EQ(coarse("VBD", CoarseRule::english), "VB");
  EXPECT_EQ(coarse("PRP", CoarseRule::english), "PRP");
  EXPECT_EQ(coarse("PRP$", CoarseRule::english), "PRP$");
  EXPECT_EQ(coarse("PRT", CoarseRule::english), "PR");
  EXPECT_EQ(coarse("WP$", CoarseRule::english), "WP");
  EXPECT_EQ(coarse("TO", CoarseRule::english), "TO");
  EXPECT_EQ(coarse(".", CoarseRule::english), ".");
  EXPECT_EQ(coarse("-LRB-", CoarseRule::english), "-L");
}

TEST(CoarseTag, OfCzechHasOneCharacter) {
  EXPECT_EQ(coarse("NNMS1-----A----", CoarseRule::czech), "N");
  EXPECT_EQ(coarse("Z", CoarseRule::czech), "Z");
}

TEST(CoarseTag, OfChineseLacksTheLastCharacter) {
  EXPECT_EQ(coarse("NN", CoarseRule::chinese), "N");
  EXPECT_EQ(coarse("DEC", CoarseRule::chinese), "DE");
  EXPECT_EQ(coarse("PU", CoarseRule::chinese), "PU");
  EXPECT_EQ(coarse("CD", CoarseRule::chinese), "CD");
  EXPECT_EQ(coarse("M", CoarseRule::chinese), "M");
}

TEST(CoarseTag, CountsCharactersNotBytes) {
  EXPECT_EQ(coarse("éàü", CoarseRule::english), "éà");
  EXPECT_EQ(coarse("名詞", CoarseRule::czech), "名");
  EXPECT_EQ(coarse("名詞", CoarseRule::chinese), "名");
  EXPECT_EQ(coarse("名", CoarseRule::chinese), "名");
  EXPECT_EQ(coarse("é", CoarseRule::english), "é");
}

TEST(CoarseTag, IsTheFineTagWithoutARule) {
  EXPECT_EQ(coarse("NNPS", CoarseRule::none), "NNPS");
  EXPECT_EQ(coarse_tag(tagged("NOUN", "_"), CoarseRule::none), "NOUN");
  EXPECT_EQ(coarse_tag(tagged("NOUN", "_"), CoarseRule::english), "NO");
}

TEST(ChooseCoarseRule, TakesColumnsBeforeTags) {
  EXPECT_EQ(chosen({{"NOUN", "NN"}}), CoarseRule::treebank);
  EXPECT_EQ(chosen({{"NOUN", "_"}, {"_", "NN"}}), CoarseRule::treebank);
  EXPECT_EQ(chosen({{"_", "DT"}, {"_", "NN"}}), CoarseRule::english);
  EXPECT_EQ(chosen({{"VBD", "_"}}), CoarseRule::english);
  EXPECT_EQ(chosen({{"_", "NN"}, {"_", "VV"}}), CoarseRule::chinese);
  EXPECT_EQ(chosen({{"_", "NR"}}), CoarseRule::chinese);
  EXPECT_EQ(chosen({{"NOUN", "_"}, {"VERB", "_"}}), CoarseRule::none);
  EXPECT_EQ(chosen({{"_", "_"}}), CoarseRule::none);
  EXPECT_EQ(chosen({}), CoarseRule::none);
  EXPECT_EQ(choose_coarse_rule({}), CoarseRule::none);
}

TEST(ChooseCoarseRule, IsThatOfAllProcessesOfATeam) {
  const auto chosen_by = [](const std::vector<Token>& words) {  // one to a process
    CoarseRule chosen{};
    run_team(static_cast<int>(words.size()), [&](Team& team) {
      std::vector<Sentence> own(1);
      own[0].add_word(words[static_cast<std::size_t>(team.rank())]);
      const CoarseRule rule = choose_coarse_rule(own, team);
      if (team.leads()) chosen = rule;
    });
    return chosen;
  };
  EXPECT_EQ(chosen_by({tagged("NOUN", "_"), tagged("_", "_"), tagged("_", "NN")}), CoarseRule::treebank);
  EXPECT_EQ(chosen_by({tagged("NOUN", "NN"), tagged("_", "VV")}), CoarseRule::treebank);
  EXPECT_EQ(chosen_by({tagged("_", "NN"), tagged("_", "VV")}), CoarseRule::chinese);
  EXPECT_EQ(chosen_by({tagged("_", "DT"), tagged("_", "NN")}), CoarseRule::english);
}

TEST(ChooseCoarseRule, KnowsRealTreebanks) {
  namespace fs = std::filesystem;
  const char* root = std::getenv("COPSE_SHARED_DATA");
  const fs::path data = root == nullptr ? "" : root;
  const fs::path penn = data / "en_ptb" / "dev" / "dependencies";
  if (root == nullptr || !fs::is_directory(penn)) {
    GTEST_SKIP() << "needs the treebanks in the folder that COPSE_SHARED_DATA names";
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(penn)) {
    if (entry.path().extension() != ".dp") continue;
    EXPECT_EQ(choose_coarse_rule(read_conll(entry.path())), CoarseRule::english) << entry.path();
  }
  for (const char* treebank : {"en_ewt", "zh_gsd", "cs_mix"}) {
    const fs::path file = data / treebank / "dev.conllu";
    if (!fs::exists(file)) continue;
    EXPECT_EQ(choose_coarse_rule(read_conll(file)), CoarseRule::treebank) << file;
  }
}

}  // namespace
}  // namespace copse
