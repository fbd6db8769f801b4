#include "parser_training/feature_index.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "inference/test_settings.h"
#include "parser_training/feature_lists.h"
#include "parser_training/tiny_problem.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

using Counts = std::map<std::uint64_t, std::uint32_t>;

void count(const SentenceFeatures& features, Scope scope, const Part& part, Counts& counts) {
  std::vector<std::uint64_t> hashes;
  features.append(scope, to_tuple(part), hashes);
  for (const std::uint64_t hash : hashes) ++counts[hash];
}

// Every feature of every part of the tree. A word without a head has no parts, and one whose head has none
// has no parts with a grandparent.
void count_gold(const TrainingSentence& example, const SentenceFeatures& features,
                Factorization factorization, Counts& counts) {
  const Heads& heads = example.heads;
  for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
    const int head = heads[modifier];
    if (head == kNoHead) continue;
    const int sibling = inner_sibling(heads, modifier);
    const Part part{head == 0 ? 0 : heads[head],
                    head,
                    sibling,
                    modifier,
                    sibling == head ? head : inner_sibling(heads, sibling),
                    is_outermost(heads, modifier)};
    for (Order order : orders_of(factorization, part)) {
      if (names_grandparent(order) && part.grandparent == kNoHead) continue;
      for (Scope scope : scopes_of(order)) count(features, scope, part, counts);
    }
  }
}

// Every feature of every distinct tuple of words of the candidate parts.
void count_candidates(const TrainingSentence& example, const SentenceFeatures& features,
                      Factorization factorization, Counts& counts) {
  ArcSet arcs;
  if (example.candidates.empty())
    arcs.assign_all(example.sentence.size());
  else
    arcs.assign(example.sentence.size(), example.candidates);
  PartIndex parts;
  parts.assign(arcs, factorization);
  for_each_distinct_tuple(parts,
                          [&](Scope scope, const Part& part) { count(features, scope, part, counts); });
}

Counts expected_counts(const TinyProblem& problem, const FeatureIndexOptions& options) {
  Counts counts;
  SentenceFeatures features;
  const Factorization factorization = problem.extractor.factorization();
  for (const TrainingSentence& example : problem.sentences) {
    features.assign(problem.extractor, example.sentence);
    count_gold(example, features, factorization, counts);
    if (options.candidate_features) count_candidates(example, features, factorization, counts);
  }
  std::erase_if(counts,
                [&](const auto& entry) { return entry.second < static_cast<unsigned>(options.cutoff); });
  return counts;
}

template <class Check>
void for_each_problem(int cases, Check check) {
  TaskPool pool(2);
  for (int number = 0; number < scaled(cases); ++number) {
    const TinyProblemKind kind = tiny_problem_kind(number);
    SCOPED_TRACE(case_name(number) + ": " + describe(kind));
    Generator random = case_generator(number);
    const FeatureIndexOptions options{uniform_int(random, 1, 4), happens(random, 0.5)};
    const FeatureSet set = happens(random, 0.5) ? FeatureSet::paper : FeatureSet::rich;
    check(TinyProblem(random, kind.factorization, {kind.trees, kind.is_pruned}, set, options, pool), options);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FeatureIndex, CountsTheFeaturesOfTreesAndCandidates) {
  for_each_problem(64, [](const TinyProblem& problem, const FeatureIndexOptions& options) {
    const FeatureIndex& index = problem.index;
    ASSERT_EQ(index.counts.size(), index.size());
    Counts counts;
    for (std::size_t k = 0; k < index.size(); ++k) {
      EXPECT_TRUE(counts.emplace(index.hashes[k], index.counts[k]).second) << "a feature twice";
    }
    EXPECT_TRUE(counts == expected_counts(problem, options)) << counts.size() << " features";
  });
}

TEST(FeatureIndex, NumbersFrequentFeaturesFirst) {
  for_each_problem(16, [](const TinyProblem& problem, const FeatureIndexOptions&) {
    const FeatureIndex& index = problem.index;
    EXPECT_TRUE(std::is_sorted(index.counts.rbegin(), index.counts.rend()));
    EXPECT_EQ(index.numbers.size(), index.size());
    for (std::size_t k = 0; k < index.size(); ++k) EXPECT_EQ(index.numbers.find(index.hashes[k]), k);
  });
}

TEST(FeatureIndex, ContainsWhatIsFrequentInMoreSentencesThanOneRoundTakes) {
  TaskPool pool(2);
  Generator random = case_generator(0);
  TinyTreebankKind kind;
  kind.most_words = 2;
  kind.sentences = 2100;  // candidates are counted in rounds of 2000 sentences
  const FeatureIndexOptions options{3, true};
  const TinyProblem problem(random, Factorization::first, kind, FeatureSet::pruner, options, pool);
  Counts counts;
  for (std::size_t k = 0; k < problem.index.size(); ++k)
    counts[problem.index.hashes[k]] = problem.index.counts[k];
  EXPECT_TRUE(counts == expected_counts(problem, options));
}

TEST(FeatureLists, AreTheFeaturesOfEachTupleLookedUpOneByOne) {
  for_each_problem(64, [](const TinyProblem& problem, const FeatureIndexOptions&) {
    const NumbersByHash numbers = numbers_by_hash(problem.index);
    SentenceFeatures features;
    SentenceParts parts;
    ASSERT_EQ(problem.lists.size(), problem.sentences.size());
    for (std::size_t k = 0; k < problem.sentences.size(); ++k) {
      const TrainingSentence& example = problem.sentences[k];
      features.assign(problem.extractor, example.sentence);
      parts.assign(example.sentence.size(), example.candidates, problem.extractor.factorization());
      FeatureList expected;
      for_each_tuple(parts.tuples(), [&](Scope scope, const Tuple& tuple) {
        std::vector<std::uint64_t> hashes;
        features.append(scope, tuple, hashes);
        expected.lengths.push_back(0);
        for (const std::uint64_t hash : hashes) {
          const auto found = numbers.find(hash);
          if (found == numbers.end()) continue;
          expected.features.push_back(found->second);
          ++expected.lengths.back();
        }
      });
      EXPECT_EQ(problem.lists.kept(k)->features, expected.features);
      EXPECT_EQ(problem.lists.kept(k)->lengths, expected.lengths);
    }
  });
}

}  // namespace
}  // namespace copse
