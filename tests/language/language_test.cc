#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "copse/error.h"
#include "io/section_file.h"
#include "io/temporary_folder.h"
#include "language/language_guesser.h"

namespace copse::testing {
namespace {

// Words of a made-up language: syllables of its own letters.
class Speaker {
 public:
  Speaker(std::string consonants, std::string vowels, std::uint64_t seed)
      : consonants_(std::move(consonants)), vowels_(std::move(vowels)), random_(seed) {}
  std::string word() {
    std::string word;
    for (std::size_t syllables = 1 + random_() % 3; syllables > 0; --syllables) {
      word += consonants_[random_() % consonants_.size()];
      word += vowels_[random_() % vowels_.size()];
    }
    return word;
  }
  Sentence sentence(int words) {
    Sentence sentence;
    while (sentence.size() < words) sentence.add_word(word());
    return sentence;
  }
  std::vector<Sentence> sentences(int count) {
    std::vector<Sentence> sentences;
    for (int k = 0; k < count; ++k) sentences.push_back(this->sentence(15));
    return sentences;
  }

 private:
  std::string consonants_;
  std::string vowels_;
  std::mt19937_64 random_;
};

LetterGroups groups_of(const Sentence& sentence) {
  LetterGroups groups;
  for (const Token& word : sentence.words()) groups.add(word.form());
  return groups;
}

TEST(LetterGroups, AreThoseOfWordsWhateverIsBetween) {
  const auto hashes = [](std::string_view text) {
    LetterGroups groups;
    groups.add(text);
    return std::vector<std::uint64_t>(groups.hashes().begin(), groups.hashes().end());
  };
  EXPECT_EQ(hashes("Ab cd"), hashes("ab, 12 CD!\n\xff"));
  EXPECT_NE(hashes("abcd"), hashes("ab cd"));
  EXPECT_TRUE(hashes("12 - \xc3").empty());
  LetterGroups groups;
  groups.add("\u00e9t\u00e9 la");
  EXPECT_EQ(groups.letters(), 5U);
  EXPECT_EQ(groups.hashes().size(), 3U + 4 + 3 + 2 + 3 + 2);
  groups.clear();
  EXPECT_EQ(groups.letters(), 0U);
}

TEST(LanguageProfile, TellsLanguagesWithTheSameLettersApart) {
  Speaker one("bdkls", "aeo", 1);
  Speaker other("klsmr", "eou", 2);
  const std::vector<KnownLanguage> languages = {
      {"one", "", "", LanguageProfile::of(one.sentences(200)).value()},
      {"other", "", "", LanguageProfile::of(other.sentences(200)).value()}};
  for (int trial = 0; trial < 200; ++trial) {
    EXPECT_EQ(likest_language(languages, groups_of(one.sentence(20))), 0U);
    EXPECT_EQ(likest_language(languages, groups_of(other.sentence(20))), 1U);
  }
  double sum = 0.0;
  double squares = 0.0;
  for (int trial = 0; trial < 500; ++trial) {
    const LanguageProfile& own = languages[0].profile;
    const double strangeness = own.strangeness(own.likeness(groups_of(one.sentence(20))));
    sum += strangeness;
    squares += strangeness * strangeness;
  }
  EXPECT_NEAR(sum / 500, 0.0, 0.3);
  EXPECT_LT(std::sqrt(squares / 500), 1.4);  // what varies less than languages do is not taken at its word
}

TEST(LanguageProfile, LivesInFiles) {
  Speaker one("bdkls", "aeo", 1);
  const LanguageProfile profile = LanguageProfile::of(one.sentences(200)).value();
  const std::string path = ::testing::TempDir() + "/copse_language_profile";
  SectionFileWriter writer(path);
  profile.add_to(writer);
  writer.close();
  const SectionFile file = SectionFile::open(path);
  ASSERT_TRUE(LanguageProfile::is_in(file));
  const LanguageProfile loaded = LanguageProfile::from_file(file);
  for (int trial = 0; trial < 20; ++trial) {
    const LetterGroups groups = groups_of(one.sentence(20));
    EXPECT_EQ(loaded.likeness(groups), profile.likeness(groups));
    EXPECT_EQ(loaded.strangeness(-3.0), profile.strangeness(-3.0));
  }
  const std::span<const std::byte> bytes = file.section(file.names().front());
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    SectionFileWriter cut(path);
    cut.add("language/profile", bytes.first(size));
    cut.close();
    EXPECT_THROW(LanguageProfile::from_file(SectionFile::open(path)), DataError) << size;
  }
  EXPECT_FALSE(LanguageProfile::of(one.sentences(20)));  // too few
}

TEST(LanguageWatch, NoticesOtherLanguagesAndAsksForThemOnlyThen) {
  Speaker one("bdkls", "aeo", 1);
  Speaker other("fgtvz", "iuy", 2);
  Speaker unknown("pqwxc", "h", 3);
  const std::vector<KnownLanguage> languages = {
      {"one", "", "First", LanguageProfile::of(one.sentences(200)).value()},
      {"other", "", "", LanguageProfile::of(other.sentences(200)).value()}};
  int asked = 0;
  LanguageWatch watch(languages[0].profile, "First", [&] {
    ++asked;
    return languages;
  });
  EXPECT_FALSE(watch.add(one.sentence(3)));  // too little to tell
  EXPECT_EQ(watch.passages(), 0);
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(watch.add(one.sentence(30)));
  EXPECT_EQ(watch.passages(), 20);
  EXPECT_EQ(asked, 0);
  const auto found = watch.add(other.sentence(30));
  ASSERT_TRUE(found);
  ASSERT_NE(found->language, nullptr);
  EXPECT_EQ(found->language->name(), "other");
  EXPECT_FALSE(watch.add(one.sentence(30)));
  EXPECT_FALSE(watch.add(unknown.sentence(60)));  // one that is strange may be anything
  const auto nobody = watch.add(unknown.sentence(60));
  ASSERT_TRUE(nobody);
  EXPECT_EQ(nobody->language, nullptr);
  EXPECT_EQ(watch.strange(), 2);
  EXPECT_EQ(asked, 1);
  // Another text: one passage alone may be strange, and what was left over does not count.
  EXPECT_FALSE(watch.add(unknown.sentence(2)));
  watch.end_text();
  EXPECT_FALSE(watch.add(one.sentence(3)));
  // Models of the same language are no others.
  LanguageWatch same(languages[0].profile, "Last", [&] {
    return std::vector<KnownLanguage>{{"x", "", "Last", languages[1].profile}};
  });
  EXPECT_FALSE(same.add(one.sentence(60)));
  EXPECT_FALSE(same.add(other.sentence(60)));
}

}  // namespace
}  // namespace copse::testing
