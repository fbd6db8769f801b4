#include "network/known_lemmas.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "copse/error.h"
#include "features/lemma_rule.h"

namespace copse {
namespace {

Sentence sentence_of(const std::vector<std::array<std::string, 3>>& words) {
  Sentence sentence;
  for (const auto& [form, upos, lemma] : words) {
    Token& word = sentence.add_word(form);
    word.set_upos(upos);
    word.set_lemma(lemma);
  }
  return sentence;
}

class KnownLemmasTest : public ::testing::Test {
 protected:
  std::string lemma(const KnownLemmas& lemmas, const std::string& form, const std::string& upos) const {
    Sentence sentence = sentence_of({{form, upos, "_"}});
    const auto rule = lemmas.find(sentence[1]);
    return rule ? LemmaRule::parse(rules_[*rule])->apply(form) : "unknown";
  }

  // "saw" is a tool once, and a verb twice, of which once with another lemma.
  Sentence sentence_ = sentence_of({{"saw", "NOUN", "saw"},
                                    {"saw", "VERB", "see"},
                                    {"saw", "VERB", "see"},
                                    {"saw", "VERB", "saw"},
                                    {"went", "VERB", "go"}});
  Vocabulary rules_{{LemmaRule::between("saw", "saw").text(), LemmaRule::between("saw", "see").text()}};
};

TEST_F(KnownLemmasTest, TagsTellFormsApartAndTheMostFrequentLemmaWins) {
  const Sentence* const pointer = &sentence_;
  const KnownLemmas lemmas({&pointer, 1}, rules_);
  EXPECT_EQ(lemma(lemmas, "saw", "NOUN"), "saw");
  EXPECT_EQ(lemma(lemmas, "saw", "VERB"), "see");
  EXPECT_EQ(lemma(lemmas, "saw", "ADJ"), "unknown");
  EXPECT_EQ(lemma(lemmas, "went", "VERB"), "unknown") << "its rule is not among those that there are";
}

TEST_F(KnownLemmasTest, StayTheSameInAFileAndDamageIsFound) {
  const Sentence* const pointer = &sentence_;
  const KnownLemmas lemmas({&pointer, 1}, rules_);
  const std::string path = ::testing::TempDir() + "known_lemmas_test.copse";
  SectionFileWriter writer(path);
  lemmas.add_to(writer);
  writer.close();
  const SectionFile file = SectionFile::open(path);
  const KnownLemmas loaded = KnownLemmas::from_file(file, rules_.size());
  EXPECT_EQ(lemma(loaded, "saw", "VERB"), "see");
  EXPECT_THROW(KnownLemmas::from_file(file, 2), DataError) << "a rule that is not there";
  const std::vector<std::uint64_t> keys = {5, 3};
  const std::vector<std::uint32_t> numbers = {1, 1};
  SectionFileWriter wrong(path);
  wrong.add_numbers("network/lemma-words", keys);
  wrong.add_numbers("network/lemma-rules", numbers);
  wrong.close();
  EXPECT_THROW(KnownLemmas::from_file(SectionFile::open(path), rules_.size()), DataError) << "out of order";
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace copse
