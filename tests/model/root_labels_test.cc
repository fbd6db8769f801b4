#include "model/root_labels.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "features/sentence_parts.h"
#include "io/temporary_folder.h"
#include "model/label_model.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

const std::vector<std::string> kNames = {"nsubj", "root", "dep", "root:main"};

TEST(RootLabels, WithoutKnowledgeAnythingGoes) {
  const RootLabels root;
  EXPECT_TRUE(root.allows(3, ArcPlace::at_root));
  EXPECT_TRUE(root.allows(3, ArcPlace::inside));
  const RootLabels without_root = RootLabels::by_name(std::vector<std::string>{"SBJ", "rooted"});
  EXPECT_TRUE(without_root.allows(0, ArcPlace::at_root));
  EXPECT_TRUE(without_root.allows(1, ArcPlace::inside));
}

TEST(RootLabels, ByName) {
  const RootLabels root = RootLabels::by_name(kNames);
  for (Label label = 0; label < kNames.size(); ++label) {
    const bool is_root = label % 2 == 1;
    EXPECT_EQ(root.allows(label, ArcPlace::at_root), is_root) << label;
    EXPECT_EQ(root.allows(label, ArcPlace::inside), !is_root) << label;
    EXPECT_TRUE(root.allows(label, ArcPlace::anywhere));
  }
}

TEST(RootLabels, ByWhatWasSeen) {
  RootLabels root(3);
  root.count(0, ArcPlace::at_root);
  root.count(1, ArcPlace::inside);
  root.count(2, ArcPlace::at_root);
  root.count(2, ArcPlace::inside);
  EXPECT_TRUE(root.allows(0, ArcPlace::at_root));
  EXPECT_FALSE(root.allows(0, ArcPlace::inside));
  EXPECT_FALSE(root.allows(1, ArcPlace::at_root));
  EXPECT_TRUE(root.allows(1, ArcPlace::inside));
  EXPECT_TRUE(root.allows(2, ArcPlace::at_root));
  EXPECT_TRUE(root.allows(2, ArcPlace::inside));
}

class RootLabelsFile : public TemporaryFolderTest {
 protected:
  SectionFile file_with(const RootLabels& root) const {
    SectionFileWriter writer(path("file"));
    root.add_to(writer, "part/root");
    writer.close();
    return SectionFile::open(path("file"));
  }
};

TEST_F(RootLabelsFile, ComesBack) {
  RootLabels root(4);
  root.count(0, ArcPlace::at_root);
  root.count(1, ArcPlace::inside);
  const RootLabels again = RootLabels::from_file(file_with(root), "part/root", kNames);
  EXPECT_TRUE(again.allows(0, ArcPlace::at_root));
  EXPECT_FALSE(again.allows(1, ArcPlace::at_root));
  EXPECT_FALSE(again.allows(3, ArcPlace::inside));
}

TEST_F(RootLabelsFile, FilesThatDoNotSayItGoByName) {
  const RootLabels again = RootLabels::from_file(file_with({}), "part/root", kNames);
  EXPECT_TRUE(again.allows(1, ArcPlace::at_root));
  EXPECT_FALSE(again.allows(1, ArcPlace::inside));
}

TEST_F(RootLabelsFile, OfAnotherNumberOfLabelsIsAnError) {
  EXPECT_THROW(RootLabels::from_file(file_with(RootLabels(3)), "part/root", kNames), DataError);
}

CandidateLabels some_candidates() {
  CandidateLabels candidates;
  candidates.lists = LabelRows::of_labels({{10, 0, 0.0F}, {10, 1, 0.0F}, {20, 1, 0.0F}});
  candidates.others = {0, 1, 2};
  return candidates;
}

std::vector<Label> found(const CandidateLabels& candidates, std::uint64_t key, ArcPlace place) {
  const std::vector<std::uint64_t> keys = {key};
  const std::span<const Label> labels = candidates.find(keys, place);
  return {labels.begin(), labels.end()};
}

TEST(CandidateLabels, RestrictedByPlace) {
  CandidateLabels candidates = some_candidates();
  using Labels = std::vector<Label>;
  EXPECT_EQ(found(candidates, 10, ArcPlace::at_root), (Labels{0, 1}));
  candidates.restrict(RootLabels::by_name(kNames), kNames.size());
  EXPECT_EQ(found(candidates, 10, ArcPlace::at_root), Labels{1});
  EXPECT_EQ(found(candidates, 10, ArcPlace::inside), Labels{0});
  EXPECT_EQ(found(candidates, 10, ArcPlace::anywhere), (Labels{0, 1}));
  EXPECT_EQ(found(candidates, 30, ArcPlace::at_root), Labels{1});
  EXPECT_EQ(found(candidates, 30, ArcPlace::inside), (Labels{0, 2}));
  // Nothing of the list may stand there: all that may.
  EXPECT_EQ(found(candidates, 20, ArcPlace::inside), (Labels{0, 2}));
}

TEST(CandidateLabels, ThereAlwaysIsOne) {
  CandidateLabels candidates = some_candidates();
  RootLabels root(kNames.size());
  root.count(1, ArcPlace::inside);
  candidates.restrict(root, kNames.size());
  EXPECT_EQ(found(candidates, 20, ArcPlace::at_root).size(), kNames.size());
}

// Joint models.
TEST(LabelScorer, RootArcsHaveRootLabelsAndNoOthersDo) {
  FeatureOptions features;
  features.set = FeatureSet::labels;
  CandidateLabels candidates;
  candidates.others = {0, 1, 2, 3};
  const LabelModel model(kNames, RootLabels::by_name(kNames), {features, Factorization::first}, candidates,
                         {});
  const Sentence sentence =
      read_text("1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t1\tdep\t_\t_\n").front();
  SentenceParts parts;
  parts.assign(sentence.size(), {}, Factorization::first);
  LabelScorer scorer(model);
  scorer.assign(sentence, parts.tuples(), 1.0);
  for (int arc = 0; arc < parts.arcs().size(); ++arc) {
    const std::vector<Label> expected =
        parts.arcs()[arc].head == 0 ? std::vector<Label>{1, 3} : std::vector<Label>{0, 2};
    const ArcLabels labels = scorer.score(arc);
    EXPECT_EQ(std::vector<Label>(labels.labels.begin(), labels.labels.end()), expected);
  }
}

}  // namespace
}  // namespace copse::testing
