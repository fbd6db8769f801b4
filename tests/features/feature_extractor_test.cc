#include "features/feature_extractor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "features/naive_features.h"
#include "features/random_sentences.h"
#include "features/scope_words.h"
#include "features/sentence_parts.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

using Hashes = std::vector<std::uint64_t>;

constexpr std::array kRules{CoarseRule::treebank, CoarseRule::english, CoarseRule::czech, CoarseRule::none};

FeatureOptions options_of(FeatureSet set, CoarseRule coarse) {
  FeatureOptions options;
  options.set = set;
  options.coarse = coarse;
  return options;
}

Morphology some_morphology() { return {true, {{"CCONJ", "|1"}, {"NN", "Case"}, {"NOUN", "Number"}}}; }

Hashes hashes_of(const SentenceFeatures& features, Scope scope, const Part& part) {
  Hashes hashes;
  features.append(scope, to_tuple(part), hashes);
  return hashes;
}

// Where the features with one name were seen, and how often at each place.
using Occurrences = std::map<int, int>;

template <class Name>
std::vector<Occurrences> sorted_occurrences(std::unordered_map<Name, Occurrences> by_name) {
  std::vector<Occurrences> all;
  all.reserve(by_name.size());
  for (auto& [name, occurrences] : by_name) all.push_back(std::move(occurrences));
  std::sort(all.begin(), all.end());
  return all;
}

// Hashes and strings are two names for the same features if they occur at the same places: every string has a
// hash of its own, and the same one everywhere. In which order a tuple's features come plays no role.
class TwoNamings {
 public:
  void add(const Hashes& hashes, const std::vector<std::string>& strings) {
    for (const std::uint64_t hash : hashes) ++by_hash_[hash][places_];
    for (const std::string& string : strings) ++by_string_[string][places_];
    ++places_;
  }
  std::size_t features() const { return by_string_.size(); }
  int places() const { return places_; }
  bool agree() const {
    return by_hash_.size() == by_string_.size() &&
           sorted_occurrences(by_hash_) == sorted_occurrences(by_string_);
  }

 private:
  int places_ = 0;
  std::unordered_map<std::uint64_t, Occurrences> by_hash_;
  std::unordered_map<std::string, Occurrences> by_string_;
};

void compare(FeatureSet set, int rounds, int most_words) {
  int number = 0;
  for (int round = 0; round < scaled(rounds); ++round) {
    for (const Factorization factorization : kFactorizations) {
      Generator random = case_generator(number);
      FeatureOptions options = options_of(set, kRules[static_cast<std::size_t>(round) % kRules.size()]);
      options.has_lemmas = happens(random, 0.7);
      options.has_feats = happens(random, 0.7);
      if (happens(random, 0.6)) options.morphology = some_morphology();
      if (happens(random, 0.5)) options.conjunction_tags = {"VB", "NOUN"};
      SCOPED_TRACE(case_name(number++) + ": " + std::string(copse::name(factorization)) + ", coarse tags " +
                   std::string(copse::name(options.coarse)));
      const FeatureExtractor extractor(options, factorization);
      const NaiveFeatures naive(options, factorization);
      SentenceFeatures features;
      TwoNamings namings;
      for (int sentences = 0; sentences < 4; ++sentences) {
        const Sentence sentence = random_sentence(random, uniform_int(random, 1, most_words));
        features.assign(extractor, sentence);
        ArcSet arcs;
        arcs.assign_all(sentence.size());
        PartIndex parts;
        parts.assign(arcs, factorization);
        for_each_distinct_tuple(parts, [&](Scope scope, const Part& part) {
          namings.add(hashes_of(features, scope, part), naive.features(sentence, scope, part));
        });
      }
      EXPECT_TRUE(namings.agree()) << namings.places() << " tuples, " << namings.features() << " features";
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(FeatureExtractor, GivesEqualFeaturesEqualHashesInThePaperSet) { compare(FeatureSet::paper, 6, 5); }
TEST(FeatureExtractor, GivesEqualFeaturesEqualHashesInTheRichSet) { compare(FeatureSet::rich, 6, 5); }
TEST(FeatureExtractor, GivesEqualFeaturesEqualHashesInThePrunerSet) { compare(FeatureSet::pruner, 6, 8); }

// Words "form/TAG".
Sentence tagged(const std::vector<std::string>& words) {
  Sentence sentence;
  for (const std::string& word : words) {
    Token token;
    token.set_form(word.substr(0, word.find('/')));
    token.set_xpos(word.substr(word.find('/') + 1));
    sentence.add_word(token);
  }
  return sentence;
}

std::set<std::uint64_t> set_of(const Hashes& hashes) { return {hashes.begin(), hashes.end()}; }

class SmallSentences : public ::testing::Test {
 protected:
  Hashes hashes(const std::vector<std::string>& words, Scope scope, const Part& part) const {
    SentenceFeatures features;
    features.assign(extractor_, tagged(words));
    return hashes_of(features, scope, part);
  }

  FeatureExtractor extractor_{options_of(FeatureSet::paper, CoarseRule::none), Factorization::grandsibling};
};

TEST_F(SmallSentences, EveryTypeInBetweenCountsOnce) {
  const Part arc{0, 1, 1, 5};
  const std::size_t without = 2 * 11;  // bi-gram and context templates, with and without the distance
  // Two templates, each with and without the distance, for every form and every tag in between.
  EXPECT_EQ(hashes({"s/S", "t/T"}, Scope::arc, {0, 1, 1, 2}).size(), without);
  EXPECT_EQ(hashes({"s/S", "a/A", "b/B", "c/C", "t/T"}, Scope::arc, arc).size(), without + 2 * (3 + 3));
  EXPECT_EQ(hashes({"s/S", "a/A", "b/A", "a/A", "t/T"}, Scope::arc, arc).size(), without + 2 * (2 + 1));
  EXPECT_EQ(hashes({"s/S", "a/A", "a/B", "a/A", "t/T"}, Scope::arc, arc).size(), without + 2 * (1 + 2));
  // Whatever their order, and whatever lies outside.
  EXPECT_EQ(
      set_of(hashes({"a/B", "s/S", "a/A", "b/B", "b/A", "a/A", "t/T", "b/A"}, Scope::arc, {0, 2, 2, 7})),
      set_of(hashes({"a/B", "s/S", "a/A", "a/B", "b/B", "a/A", "t/T", "b/A"}, Scope::arc, {0, 2, 2, 7})));
}

TEST_F(SmallSentences, CoordinationNeedsAConjunction) {
  const Part part{1, 2, 3, 4};
  const auto features = [&](const std::string& tag) {
    return hashes({"g/G", "s/S", "r/" + tag, "t/T"}, Scope::grandsibling, part).size();
  };
  const std::size_t without = features("X");
  for (const char* tag : {"CC", "CCONJ", "CONJ"}) EXPECT_EQ(features(tag), without + 17) << tag;
  EXPECT_EQ(features("C"), without);
  // The innermost modifier has no r, even where the head is a conjunction.
  EXPECT_EQ(hashes({"g/G", "s/CC", "t/T"}, Scope::grandsibling, {1, 2, 2, 3}).size(), without);
  // r is not read: it is enough that it is a conjunction, and so these 17 features are the same.
  const auto last = [&](const std::string& r) {
    const Hashes all = hashes({"g/G", "s/S", r, "t/T"}, Scope::grandsibling, part);
    return set_of({all.end() - 17, all.end()});
  };
  EXPECT_EQ(last("and/CC"), last("or/CCONJ"));
}

TEST_F(SmallSentences, AMissingSiblingIsNeitherTheRootNorOutside) {
  // r is the head itself, and is told apart from a word with the same form and tag.
  const Hashes none = hashes({"s/S", "s/S", "t/T"}, Scope::sibling, {0, 1, 1, 3});
  const Hashes same = hashes({"s/S", "s/S", "t/T"}, Scope::sibling, {0, 1, 2, 3});
  ASSERT_EQ(none.size(), same.size());
  for (std::size_t k = 0; k < none.size(); ++k) EXPECT_NE(none[k], same[k]);
  // Its neighbours are missing, too: what stands beside the head does not matter.
  EXPECT_EQ(hashes({"a/A", "s/S", "t/T"}, Scope::sibling_pair, {0, 2, 2, 3}),
            hashes({"b/B", "s/S", "t/T"}, Scope::sibling_pair, {0, 2, 2, 3}));
}

TEST_F(SmallSentences, FeaturesDoNotDependOnThePlaceInTheSentence) {
  const std::vector<std::string> core = {"x/X", "s/S", "b/B", "t/T", "y/Y"};
  std::vector<std::string> longer = core;
  longer.insert(longer.begin(), 3, "z/Z");
  longer.insert(longer.end(), 2, "z/Z");
  for (const auto& [head, modifier] : {std::pair(2, 4), std::pair(4, 2)}) {
    for (const Scope scope : {Scope::head, Scope::modifier, Scope::arc}) {
      EXPECT_EQ(hashes(core, scope, {0, head, head, modifier}),
                hashes(longer, scope, {0, head + 3, head + 3, modifier + 3}));
    }
  }
}

// Models know their features by these hashes: if one of these numbers changes, all models made so far are
// void.
TEST_F(SmallSentences, HashesAreTheSameForEver) {
  const auto sum = [](const Hashes& hashes) {
    std::uint64_t total = 0;
    for (const std::uint64_t hash : hashes) total += hash;
    return total;
  };
  const std::vector<std::string> words = {"Über/NN", "und/CC", "sees/VBZ", "internationalisation/NN"};
  EXPECT_EQ(sum(hashes(words, Scope::arc, {0, 3, 3, 1})), 9549149386997212581u);
  EXPECT_EQ(sum(hashes(words, Scope::grandsibling, {0, 1, 2, 4})), 14428517537022313992u);
}

// A feature knows its template: what is left when templates are left out is what the others gave before.
TEST(LeftOutTemplates, TakeTheirFeaturesAndNoOthers) {
  for (int number = 0; number < scaled(12); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    FeatureOptions all = options_of(number % 3 == 0 ? FeatureSet::paper : FeatureSet::rich, kRules[0]);
    if (number % 2 == 0) all.morphology = some_morphology();
    FeatureOptions some = all;
    const TemplateSet set(all.set, Factorization::grandsibling, {true, true, true, all.morphology.is_read});
    for (const FeatureTemplate& feature : set.templates()) {
      if (happens(random, 0.4)) some.left_out.push_back(feature.identity);
    }
    const FeatureExtractor full(all, Factorization::grandsibling);
    const FeatureExtractor reduced(some, Factorization::grandsibling);
    const Sentence sentence = random_sentence(random, 6);
    SentenceFeatures full_features;
    SentenceFeatures reduced_features;
    full_features.assign(full, sentence);
    reduced_features.assign(reduced, sentence);
    SentenceParts parts;
    parts.assign(sentence.size(), {}, Factorization::grandsibling);
    for_each_tuple(parts.tuples(), [&](Scope scope, const Tuple& tuple) {
      Hashes hashes;
      Hashes owners;
      Hashes left;
      full_features.append(scope, tuple, hashes);
      full_features.append_templates(scope, tuple, owners);
      reduced_features.append(scope, tuple, left);
      ASSERT_EQ(owners.size(), hashes.size());
      Hashes expected;
      for (std::size_t k = 0; k < hashes.size(); ++k) {
        const bool is_left_out =
            std::find(some.left_out.begin(), some.left_out.end(), owners[k]) != some.left_out.end();
        if (!is_left_out) expected.push_back(hashes[k]);
      }
      EXPECT_EQ(left, expected);
    });
  }
}

TEST(ChooseFeatures, LooksForLemmasAndFeats) {
  Sentence plain = tagged({"a/A", "b/B"});
  Sentence with_lemma = plain;
  with_lemma[2].set_lemma("b");
  Sentence with_feats = plain;
  with_feats[1].set_feats("Case=Nom");
  const auto chosen = [](const std::vector<Sentence>& sentences) {
    return choose_features(FeatureSet::paper, CoarseRule::czech, sentences);
  };
  EXPECT_FALSE(chosen({plain}).has_lemmas);
  EXPECT_FALSE(chosen({plain}).has_feats);
  EXPECT_TRUE(chosen({plain, with_lemma}).has_lemmas);
  EXPECT_FALSE(chosen({plain, with_lemma}).has_feats);
  EXPECT_FALSE(chosen({with_feats, plain}).has_lemmas);
  EXPECT_TRUE(chosen({with_feats, plain}).has_feats);
  EXPECT_EQ(chosen({}).set, FeatureSet::paper);
  EXPECT_EQ(chosen({}).coarse, CoarseRule::czech);
}

}  // namespace
}  // namespace copse
