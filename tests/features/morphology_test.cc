#include "features/morphology.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "features/feature_extractor.h"
#include "features/hashing.h"
#include "parallel/thread_team.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

struct Word {
  std::string tag;
  std::string feats;
  int head;
};

Sentence sentence_of(const std::vector<Word>& words) {
  Sentence sentence;
  for (const Word& word : words) {
    Token token;
    token.set_form("x");
    token.set_upos(word.tag);
    token.set_feats(word.feats);
    token.set_head(word.head);
    sentence.add_word(token);
  }
  return sentence;
}

// Nouns depend on the verb in one case and on the other noun in the other case; genders mean nothing. The
// names of both are arguments, so that they may have keys or not.
std::vector<Sentence> treebank(const std::vector<std::string>& cases,
                               const std::vector<std::string>& genders) {
  std::vector<Sentence> sentences;
  for (int k = 0; k < 40; ++k) {
    const std::string gender = genders[static_cast<std::size_t>(k) % genders.size()];
    const std::string other = genders[static_cast<std::size_t>(k / 2) % genders.size()];
    sentences.push_back(sentence_of({{"VERB", k % 2 == 0 ? "Tense=Past" : "Tense=Pres", 0},
                                     {"NOUN", gender + "|" + cases[0], 1},
                                     {"NOUN", other + "|" + cases[1], 2}}));
  }
  return sentences;
}

std::set<std::uint64_t> entries_of(const SingleFeats& feats, int word) {
  std::set<std::uint64_t> entries;
  for (int k = feats.begin(word); k < feats.end(word); ++k) entries.insert(feats[k].entry);
  return entries;
}

TEST(ChooseMorphology, FindsTheKeyThatTellsTheHead) {
  const Morphology chosen = choose_morphology(
      treebank({"Case=Nom", "Case=Gen"}, {"Gender=Masc", "Gender=Fem", "Gender=Neut"}), CoarseRule::treebank);
  EXPECT_TRUE(chosen.is_read);
  EXPECT_EQ(chosen.refinements, (std::vector<Morphology::Refinement>{{"NOUN", "Case"}}));
}

TEST(ChooseMorphology, ProcessesOfATeamChooseTogether) {
  std::vector<Sentence> sentences =
      treebank({"Case=Nom", "Case=Gen"}, {"Gender=Masc", "Gender=Fem", "Gender=Neut"});
  sentences[1][1].set_lemma("y");  // the only one
  const FeatureOptions expected = choose_features(FeatureSet::rich, CoarseRule::treebank, sentences);
  EXPECT_TRUE(expected.has_lemmas);
  EXPECT_EQ(expected.morphology.refinements.size(), 1U);
  for (const int size : {2, 3, 7, 50}) {
    run_team(size, [&](Team& team) {
      const std::vector<Sentence> own = keep_own(team, sentences);
      const FeatureOptions found = choose_features(FeatureSet::rich, CoarseRule::treebank, own, team);
      EXPECT_EQ(found.has_lemmas, expected.has_lemmas);
      EXPECT_EQ(found.has_feats, expected.has_feats);
      EXPECT_EQ(found.morphology, expected.morphology);
    });
  }
}

TEST(ChooseMorphology, KnowsBareFeaturesByTheirPlace) {
  const Morphology chosen =
      choose_morphology(treebank({"nom", "gen"}, {"masc", "fem", "neut"}), CoarseRule::treebank);
  EXPECT_EQ(chosen.refinements, (std::vector<Morphology::Refinement>{{"NOUN", "|1"}}));
}

TEST(ChooseMorphology, LeavesFeatsAloneWhereTagsSayEnough) {
  std::vector<Sentence> sentences =
      treebank({"Case=Nom", "Case=Gen"}, {"Gender=Masc", "Gender=Fem", "Gender=Neut"});
  for (Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.size(); ++word)
      sentence[word].set_xpos(std::string(sentence[word].feats()));
  }
  EXPECT_EQ(choose_morphology(sentences, CoarseRule::treebank), Morphology());
  // Unless there are so many that each is rare.
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    for (int word = 1; word <= sentences[k].size(); ++word) {
      sentences[k][word].set_xpos("T" + std::to_string(k) + "-" + std::to_string(word));
    }
  }
  const std::vector<Sentence> again = sentences;
  sentences.insert(sentences.end(), again.begin(), again.end());
  EXPECT_FALSE(choose_morphology(sentences, CoarseRule::treebank).is_read);  // 120 tags
  for (std::size_t k = 40; k < sentences.size(); ++k) sentences[k][1].set_xpos("more" + std::to_string(k));
  EXPECT_TRUE(choose_morphology(sentences, CoarseRule::treebank).is_read);  // 160
}

TEST(ChooseMorphology, NeedsFeats) {
  EXPECT_EQ(choose_morphology({}, CoarseRule::treebank), Morphology());
  std::vector<Sentence> sentences;
  for (int k = 0; k < 300; ++k) sentences.push_back(sentence_of({{"T" + std::to_string(k), "_", 0}}));
  EXPECT_EQ(choose_morphology(sentences, CoarseRule::treebank), Morphology());
}

TEST(ChooseMorphology, LearnsNothingFromWordsWithoutHeads) {
  std::vector<Sentence> sentences =
      treebank({"Case=Nom", "Case=Gen"}, {"Gender=Masc", "Gender=Fem", "Gender=Neut"});
  for (Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.size(); ++word) sentence[word].set_head(kNoHead);
  }
  const Morphology chosen = choose_morphology(sentences, CoarseRule::treebank);
  EXPECT_TRUE(chosen.is_read);
  EXPECT_TRUE(chosen.refinements.empty());
}

TEST(TagRefiner, AddsTheValueOfTheKeyOfATag) {
  const TagRefiner refiner({true, {{"NOUN", "Case"}, {"PRON", "|1"}, {"VERB", "VerbForm"}}});
  const auto noun = hash_text("NOUN");
  const auto pronoun = hash_text("PRON");
  EXPECT_NE(refiner.refined_tag(noun, "Case=Nom"), noun);
  EXPECT_NE(refiner.refined_tag(noun, "Case=Nom"), refiner.refined_tag(noun, "Case=Gen"));
  EXPECT_EQ(refiner.refined_tag(noun, "Case=Nom|Number=Sing"),
            refiner.refined_tag(noun, "Number=Plur|Case=Nom"));
  EXPECT_EQ(refiner.refined_tag(noun, "Case=Nom|Case=Gen"), refiner.refined_tag(noun, "Case=Nom"));
  EXPECT_NE(refiner.refined_tag(pronoun, "sg|nom"), pronoun);
  EXPECT_EQ(refiner.refined_tag(pronoun, "sg|nom"), refiner.refined_tag(pronoun, "pl||nom|masc"));
  EXPECT_EQ(refiner.refined_tag(pronoun, "sg|Case=Nom|nom"), refiner.refined_tag(pronoun, "pl|nom"));
  for (const char* without : {"_", "", "|", "||", "=", "Case", "case=Nom", "=Nom", "Cases=Nom"}) {
    EXPECT_EQ(refiner.refined_tag(noun, without), noun) << without;
  }
  EXPECT_EQ(refiner.refined_tag(pronoun, "sg"), pronoun);
  EXPECT_EQ(refiner.refined_tag(hash_text("ADJ"), "Case=Nom"), hash_text("ADJ"));
  EXPECT_EQ(TagRefiner().refined_tag(noun, "Case=Nom"), noun);
}

TEST(SingleFeats, AreTheDifferentEntriesOfFeats) {
  SingleFeats feats;
  feats.assign(sentence_of({{"N", "Case=Nom|Number=Sing", 0},
                            {"N", "nom|sg", 1},
                            {"N", "Case=Nom||Case=Nom|Number=Sing|", 1},
                            {"N", "_", 1},
                            {"N", "|||", 1},
                            {"N", "=|=x|x=", 1}}));
  const auto hashes = [](const std::vector<std::string>& texts) {
    std::set<std::uint64_t> all;
    for (const std::string& text : texts) all.insert(hash_text(text));
    return all;
  };
  EXPECT_EQ(entries_of(feats, 1), hashes({"Case=Nom", "Number=Sing"}));
  EXPECT_EQ(entries_of(feats, 2), hashes({"nom", "sg"}));
  EXPECT_EQ(entries_of(feats, 3), entries_of(feats, 1));
  EXPECT_EQ(entries_of(feats, 4).size(), 1U);
  EXPECT_EQ(entries_of(feats, 4), entries_of(feats, 5));
  EXPECT_NE(entries_of(feats, 4), entries_of(feats, 0));  // the root
  EXPECT_EQ(entries_of(feats, 6), hashes({"=", "=x", "x="}));
  feats.assign(sentence_of({{"N", "sg", 0}}));
  EXPECT_EQ(entries_of(feats, 1), hashes({"sg"}));
  EXPECT_EQ(feats.size(), 2);
}

TEST(SingleFeats, AgreeInTheKeysThatBothHave) {
  SingleFeats feats;
  feats.assign(sentence_of({{"N", "Case=Nom|Number=Sing", 0},
                            {"A", "Case=Nom|Degree=Pos|Number=Plur", 1},
                            {"A", "Case=Gen|Degree=Pos|Number=Sing", 1},
                            {"A", "Case=Nom|Number=Sing", 1},
                            {"P", "_", 1}}));
  const std::uint64_t in_case = feats.agreement(1, 2);
  const std::uint64_t in_number = feats.agreement(1, 3);
  const std::uint64_t in_both = feats.agreement(1, 4);
  const std::uint64_t nothing_shared = feats.agreement(1, 5);
  EXPECT_EQ((std::set{in_case, in_number, in_both, nothing_shared}.size()), 4U);
  EXPECT_EQ(feats.agreement(2, 1), in_case);
  EXPECT_EQ(feats.agreement(4, 2), in_case);
  EXPECT_EQ(feats.agreement(4, 3), in_number);
  EXPECT_EQ(feats.agreement(5, 2), nothing_shared);
  EXPECT_NE(feats.agreement(2, 3), in_both);  // in Degree
}

// A list of a million features costs reading it, not pairs of them.
TEST(SingleFeats, AreBounded) {
  std::string many;
  for (int k = 0; k < 200'000; ++k) many += "Key" + std::to_string(k) + "=v|bare" + std::to_string(k) + "|";
  const Sentence sentence = sentence_of({{"N", many, 0}, {"N", many, 1}});
  const std::vector<Sentence> sentences(3, sentence);
  const auto start = std::chrono::steady_clock::now();
  SingleFeats feats;
  feats.assign(sentence);
  EXPECT_EQ(feats.end(1) - feats.begin(1), SingleFeats::kMost);
  EXPECT_EQ(feats.end(2) - feats.begin(2), SingleFeats::kMost);
  choose_morphology(sentences, CoarseRule::treebank);
  FeatureOptions options;
  options.morphology = {true, {{"N", "Key199999"}}};
  const FeatureExtractor extractor(options, Factorization::first);
  SentenceFeatures features;
  features.assign(extractor, sentence);
  std::vector<std::uint64_t> hashes;
  features.append(Scope::arc, {0, 1, 1, 2}, hashes);
  EXPECT_LT(hashes.size(), 3000U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace copse
