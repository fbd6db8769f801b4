#include "parser_training/preparation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "inference/random_cases.h"

namespace copse {
namespace {

using testing::case_generator;
using testing::case_name;
using testing::Heads;

constexpr int kNone = kNoHead;

// The heads of the words from 1 on.
Sentence sentence_with(const Heads& heads) {
  Sentence sentence;
  for (std::size_t word = 1; word <= heads.size(); ++word) {
    sentence.add_word("w" + std::to_string(word)).set_head(heads[word - 1]);
  }
  return sentence;
}

struct Prepared {
  std::vector<TrainingSentence> examples;
  PreparationReport report;

  Heads heads(std::size_t example) const {
    const Heads& all = examples.at(example).heads;
    return {all.begin() + 1, all.end()};
  }
};

Prepared prepare(const std::vector<Heads>& treebank, TreeSpace trees = RootMode::multi, int max_length = 0) {
  std::vector<Sentence> sentences;
  for (const Heads& heads : treebank) sentences.push_back(sentence_with(heads));
  TrainingOptions options;
  options.root = trees.root;
  options.trees = trees.kind;
  options.max_length = max_length;
  Prepared prepared;
  prepared.examples = prepare_training_set(sentences, options, prepared.report);
  return prepared;
}

TEST(Preparation, KeepsNonprojectiveTreesIfTheyAreLearnt) {
  const std::vector<Heads> trees = {{3, 0, 2, 1}, {0, 1, 1, 2}, {kNone, 0, 2, 1}};
  for (const RootMode root : {RootMode::multi, RootMode::single}) {
    const Prepared prepared = prepare(trees, {root, TreeKind::nonprojective});
    ASSERT_EQ(prepared.examples.size(), trees.size());
    for (std::size_t k = 0; k < trees.size(); ++k) EXPECT_EQ(prepared.heads(k), trees[k]);
    EXPECT_EQ(prepared.report.projectivized, 0);
    EXPECT_EQ(prepared.report.partial, 1);
  }
  EXPECT_EQ(prepare(trees).report.projectivized, 3);
}

TEST(Preparation, NonprojectiveTreesObeyTheRootMode) {
  // The first root word remains, and the arcs that cross.
  const Prepared prepared = prepare({{0, 4, 1, 0}}, {RootMode::single, TreeKind::nonprojective});
  EXPECT_EQ(prepared.heads(0), (Heads{0, 4, 1, 1}));
  EXPECT_EQ(prepared.report.changed_heads, 1);
}

TEST(Preparation, KeepsProjectiveTreesAsTheyAre) {
  const std::vector<Heads> trees = {{0}, {2, 0, 2}, {0, 0}, {0, 1, 2, 3}};
  const Prepared prepared = prepare(trees);
  ASSERT_EQ(prepared.examples.size(), trees.size());
  for (std::size_t k = 0; k < trees.size(); ++k) {
    EXPECT_EQ(prepared.heads(k), trees[k]);
    EXPECT_TRUE(prepared.examples[k].is_complete);
    EXPECT_TRUE(prepared.examples[k].candidates.empty());
    EXPECT_EQ(prepared.examples[k].sentence, sentence_with(trees[k]));
  }
  EXPECT_EQ(prepared.report.sentences, 4);
  EXPECT_EQ(prepared.report.words, 1 + 3 + 2 + 4);
  EXPECT_EQ(prepared.report.too_long, 0);
  EXPECT_EQ(prepared.report.without_heads, 0);
  EXPECT_EQ(prepared.report.partial, 0);
  EXPECT_EQ(prepared.report.projectivized, 0);
  EXPECT_EQ(prepared.report.changed_heads, 0);
}

TEST(Preparation, MakesTreesProjective) {
  // 1 under 3 and 2 under 4 cross.
  const Prepared prepared = prepare({{0, 1}, {3, 4, 0, 3}, {0}});
  ASSERT_EQ(prepared.examples.size(), 3u);
  EXPECT_EQ(prepared.heads(1), (Heads{3, 3, 0, 3}));
  EXPECT_TRUE(prepared.examples[1].is_complete);
  EXPECT_EQ(prepared.examples[1].sentence.heads()[2], 4) << "the sentence itself says what it said";
  EXPECT_EQ(prepared.report.sentences, 3);
  EXPECT_EQ(prepared.report.projectivized, 1);
  EXPECT_EQ(prepared.report.changed_heads, 1);
}

TEST(Preparation, GivesTreesTheRootsThatTheModeAllows) {
  const std::vector<Heads> trees = {{0, 0, 0}, {2, 0}};
  EXPECT_EQ(prepare(trees, RootMode::multi).report.projectivized, 0);
  const Prepared single = prepare(trees, RootMode::single);
  EXPECT_EQ(single.report.projectivized, 1);
  EXPECT_EQ(single.report.changed_heads, 2);
  const Heads changed = single.heads(0);
  EXPECT_EQ(std::count(changed.begin(), changed.end(), 0), 1);
}

TEST(Preparation, KeepsPartialTreesPartial) {
  const Prepared prepared = prepare({{kNone, 0, kNone}, {2, 0}, {3, 4, kNone, kNone}});
  ASSERT_EQ(prepared.examples.size(), 3u);
  EXPECT_EQ(prepared.heads(0), (Heads{kNone, 0, kNone}));
  EXPECT_FALSE(prepared.examples[0].is_complete);
  EXPECT_TRUE(prepared.examples[1].is_complete);
  // Arcs that cross cannot both be kept, and nobody knows what to put in their place.
  const Heads crossing = prepared.heads(2);
  EXPECT_EQ(std::count(crossing.begin(), crossing.end(), kNone), 3);
  EXPECT_FALSE(prepared.examples[2].is_complete);
  EXPECT_EQ(prepared.report.partial, 2);
  EXPECT_EQ(prepared.report.projectivized, 1);
  EXPECT_EQ(prepared.report.changed_heads, 1);
  EXPECT_EQ(prepared.report.words, 3 + 2 + 4);
}

TEST(Preparation, LeavesOutWhatSaysNothing) {
  const Prepared prepared = prepare({{}, {kNone}, {0}, {kNone, kNone, kNone}});
  ASSERT_EQ(prepared.examples.size(), 1u);
  EXPECT_EQ(prepared.heads(0), (Heads{0}));
  EXPECT_EQ(prepared.report.without_heads, 3);
  EXPECT_EQ(prepared.report.sentences, 1);
  EXPECT_EQ(prepared.report.words, 1);
  EXPECT_TRUE(prepare({}).examples.empty());
}

TEST(Preparation, LeavesOutWhatIsTooLong) {
  const std::vector<Heads> trees = {{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}};
  const Prepared prepared = prepare(trees, RootMode::multi, 2);
  ASSERT_EQ(prepared.examples.size(), 2u);
  EXPECT_EQ(prepared.heads(1), trees[1]);
  EXPECT_EQ(prepared.report.too_long, 2);
  EXPECT_EQ(prepared.report.words, 3);
  EXPECT_EQ(prepare(trees, RootMode::multi, 0).report.too_long, 0) << "0 is no limit";
}

// Whether some projective tree of the root mode contains these arcs: by trying all.
bool can_be_completed(const Heads& heads, RootMode root) {
  const auto& trees = testing::all_projective_trees(static_cast<int>(heads.size()) - 1);
  return std::any_of(trees.begin(), trees.end(), [&](const Heads& tree) {
    if (root == RootMode::single && !testing::has_single_root(tree)) return false;
    for (std::size_t word = 1; word < tree.size(); ++word) {
      if (heads[word] != kNone && heads[word] != tree[word]) return false;
    }
    return true;
  });
}

TEST(Preparation, OfAnyHeadsGivesWhatCanBeLearntFrom) {
  for (int number = 0; number < testing::scaled(400); ++number) {
    SCOPED_TRACE(case_name(number));
    testing::Generator random = case_generator(number);
    const RootMode root = testing::kRootModes[random() % 2];
    std::vector<Heads> treebank(6);
    for (Heads& heads : treebank) {
      heads.resize(random() % 7);
      const bool is_partial = random() % 2 == 0;
      for (int& head : heads) {
        head = is_partial && random() % 3 == 0 ? kNone : static_cast<int>(random() % (heads.size() + 1));
      }
    }
    const int max_length = static_cast<int>(random() % 7);
    const Prepared prepared = prepare(treebank, root, max_length);
    const PreparationReport& report = prepared.report;
    EXPECT_EQ(report.sentences + report.too_long + report.without_heads, 6);
    EXPECT_EQ(report.sentences, static_cast<std::int64_t>(prepared.examples.size()));
    PreparationReport expected;
    for (const TrainingSentence& example : prepared.examples) {
      const Heads before = example.sentence.heads();
      ASSERT_EQ(example.heads.size(), before.size());
      int changed = 0;
      for (std::size_t word = 1; word < before.size(); ++word) {
        changed += before[word] != example.heads[word] ? 1 : 0;
        EXPECT_TRUE(before[word] != kNone || example.heads[word] == kNone) << "a head was guessed";
      }
      EXPECT_TRUE(can_be_completed(example.heads, root));
      const bool is_complete =
          std::find(example.heads.begin() + 1, example.heads.end(), kNone) == example.heads.end();
      EXPECT_EQ(example.is_complete, is_complete);
      expected.words += example.sentence.size();
      expected.partial += is_complete ? 0 : 1;
      expected.projectivized += changed > 0 ? 1 : 0;
      expected.changed_heads += changed;
    }
    EXPECT_EQ(report.words, expected.words);
    EXPECT_EQ(report.partial, expected.partial);
    EXPECT_EQ(report.projectivized, expected.projectivized);
    EXPECT_EQ(report.changed_heads, expected.changed_heads);
  }
}

}  // namespace
}  // namespace copse
