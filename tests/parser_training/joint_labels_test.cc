// Joint models of trees and labels, against the enumeration of all labelled trees.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "inference/test_settings.h"
#include "optimisers/regularised_loss.h"
#include "parser_training/label_lists.h"
#include "parser_training/tiny_problem.h"
#include "parser_training/trainer.h"
#include "parser_training/tree_objective.h"
#include "parsing/parser.h"
#include "parsing/sentence_parser.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"
#include "trees/heads.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

constexpr std::array<std::string_view, 4> kLabels = {"one", "two", "three", "_"};

std::vector<TrainingSentence> labelled(std::vector<TrainingSentence> sentences, Generator& random) {
  for (TrainingSentence& example : sentences) {
    for (Token& word : example.sentence.words()) word.set_deprel(pick(random, kLabels));
  }
  // There is at least one.
  TrainingSentence& last = sentences.emplace_back();
  last.sentence = random_sentence(random, 1);
  last.sentence[1].set_deprel("one");
  last.heads = {kNoHead, 0};
  last.number = sentences.size() - 1;
  return sentences;
}

// Lists of candidates for some keys: all gold labels that they have, and some others. The lists that training
// data makes need more of it than there is here.
LabelIndex with_candidates(LabelIndex index, const std::vector<TrainingSentence>& sentences,
                           Generator& random) {
  std::map<std::uint64_t, std::set<Label>> lists;
  ArcLabelKeys keys;
  const auto number = [&](std::string_view name) {
    return std::find(index.names.begin(), index.names.end(), name) - index.names.begin();
  };
  const auto labels = static_cast<int>(index.names.size());
  for (const TrainingSentence& example : sentences) {
    keys.assign(example.sentence, index.extractor.options().coarse);
    for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
      for (int head = 0; head <= example.sentence.size(); ++head) {
        const std::uint64_t key = keys({head, modifier})[0];
        const bool is_gold = head == example.heads[static_cast<std::size_t>(modifier)];
        const auto label = number(example.sentence[modifier].deprel());
        if (is_gold && label < labels) lists[key].insert(static_cast<Label>(label));
        if (happens(random, 0.3)) lists[key].insert(static_cast<Label>(uniform_int(random, 0, labels - 1)));
      }
    }
  }
  std::vector<LabelRows::Entry> entries;
  for (const auto& [key, list] : lists) {
    if (happens(random, 0.3)) continue;  // all labels
    for (const Label label : list) entries.push_back({key, label, 0.0F});
  }
  index.candidates.lists = LabelRows::of_labels(std::move(entries));
  index.candidates.others.resize(index.names.size());
  std::iota(index.candidates.others.begin(), index.candidates.others.end(), Label{0});
  return index;
}

FeatureExtractor label_extractor(Factorization factorization) {
  FeatureOptions options;
  options.set = FeatureSet::labels;
  return {options, factorization};
}

struct JointProblem {
  JointProblem(Generator& random, const TinyProblemKind& kind, TaskPool& pool)
      : sentences(labelled(tiny_treebank(random, treebank_kind(kind)), random)),
        trees(kind.trees),
        extractor(FeatureOptions(), kind.factorization),
        index(index_features(sentences, extractor, {1, true}, pool)),
        label_index(with_candidates(index_labels(sentences, label_extractor(kind.factorization), 1, pool),
                                    sentences, random)),
        label_lists(sentences, label_index, pool),
        lists(sentences, extractor, index, pool) {
    lists.set_labels(&label_lists);
  }
  JointProblem(const JointProblem&) = delete;
  JointProblem& operator=(const JointProblem&) = delete;

  static TinyTreebankKind treebank_kind(const TinyProblemKind& kind) {
    TinyTreebankKind treebank{kind.trees, kind.is_pruned};
    treebank.most_words = 4;
    treebank.sentences = 2;
    return treebank;
  }

  std::vector<TrainingSentence> sentences;
  TreeSpace trees;
  FeatureExtractor extractor;
  FeatureIndex index;
  LabelIndex label_index;
  LabelLists label_lists;
  FeatureLists lists;
};

// Scores labels one by one, feature by feature.
class NaiveLabels {
 public:
  NaiveLabels(const JointProblem& problem, const TrainingSentence& example, std::span<const float> weights)
      : problem_(problem), example_(example), weights_(weights.subspan(problem.index.size())) {
    for (std::size_t row = 0; row < problem.label_index.hashes.size(); ++row) {
      for (std::uint32_t k = problem.label_index.starts[row]; k < problem.label_index.starts[row + 1]; ++k) {
        numbers_[{problem.label_index.hashes[row], problem.label_index.labels[k]}] = k;
      }
    }
    features_.assign(problem.label_index.extractor, example.sentence);
    keys_.assign(example.sentence, problem.label_index.extractor.options().coarse);
  }

  double score(const Heads& heads, const std::vector<int>& siblings, int modifier, int label,
               double margin) const {
    const int head = heads[static_cast<std::size_t>(modifier)];
    const int grandparent = head == 0 ? 0 : heads[static_cast<std::size_t>(head)];
    const Tuple tuple{grandparent, head, siblings[static_cast<std::size_t>(modifier)], modifier};
    std::vector<std::uint64_t> hashes;
    for (const Scope scope :
         {Scope::head, Scope::modifier, Scope::arc, Scope::sibling, Scope::grandchild, Scope::grandsibling}) {
      features_.append(scope, tuple, hashes);
    }
    double sum = 0.0;
    for (const std::uint64_t hash : hashes) {
      const auto found = numbers_.find({hash, label});
      if (found != numbers_.end()) sum += weights_[found->second];
    }
    const int gold = gold_label(modifier);
    const bool is_wrong =
        head == example_.heads[static_cast<std::size_t>(modifier)] && gold >= 0 && gold != label;
    return sum + (is_wrong ? margin : 0.0);
  }

  bool is_candidate(int head, int modifier, int label) const {
    const std::span<const Label> labels = problem_.label_index.candidates.find(keys_({head, modifier}));
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }

  // -1 where it is not known.
  int gold_label(int word) const {
    const std::string_view name = example_.sentence[word].deprel();
    if (example_.heads[static_cast<std::size_t>(word)] == kNoHead) return -1;
    const auto& names = problem_.label_index.names;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  }

  // The logarithm of the sum of exp(score) over all labellings of a tree: all, or those with the gold labels.
  long double log_sum(const Heads& heads, double margin, bool is_gold) const {
    const int words = example_.sentence.size();
    const int labels = static_cast<int>(problem_.label_index.names.size());
    long double sum = 0.0;
    const std::vector<int> siblings = inner_siblings(heads);
    std::vector<int> labelling(static_cast<std::size_t>(words) + 1, 0);
    for (;;) {
      long double total = 0.0;
      bool agrees = true;
      for (int word = 1; word <= words; ++word) {
        const int label = labelling[static_cast<std::size_t>(word)];
        total += score(heads, siblings, word, label, is_gold ? 0.0 : margin);
        agrees &= !is_gold || gold_label(word) < 0 || gold_label(word) == label;
        agrees &= is_candidate(heads[static_cast<std::size_t>(word)], word, label);
      }
      if (agrees) sum += std::exp(total);
      int word = 1;
      while (word <= words && ++labelling[static_cast<std::size_t>(word)] == labels)
        labelling[static_cast<std::size_t>(word++)] = 0;
      if (word > words) return std::log(sum);
    }
  }

 private:
  const JointProblem& problem_;
  const TrainingSentence& example_;
  std::span<const float> weights_;
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> numbers_;
  SentenceFeatures features_;
  ArcLabelKeys keys_;
};

double naive_loss(const JointProblem& problem, std::span<const float> weights, double margin) {
  long double loss = 0.0;
  const NumbersByHash numbers = numbers_by_hash(problem.index);
  for (const TrainingSentence& example : problem.sentences) {
    const NaiveExample naive(example, problem.extractor, numbers, problem.trees);
    const NaiveLabels labels(problem, example, weights);
    const auto total = [&](const testing::TreeModel& model, bool is_gold) {
      long double sum = 0.0;
      const Enumeration all(model);
      for (const Enumeration::Tree& tree : all.trees()) {
        sum += std::exp(tree.score + labels.log_sum(*tree.heads, margin, is_gold));
      }
      return std::log(sum);
    };
    loss += total(naive.model(weights, margin), false) - total(naive.gold_model(weights), true);
  }
  return static_cast<double>(loss);
}

template <class Check>
void for_each_joint_problem(int cases, Check check) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(cases); ++number) {
    const TinyProblemKind kind = tiny_problem_kind(number);
    Generator random = case_generator(number);
    const double margin = happens(random, 0.5) ? 0.75 : 0.0;
    SCOPED_TRACE(case_name(number) + ": " + describe(kind) + ", margin " + std::to_string(margin));
    const JointProblem problem(random, kind, pool);
    const TreeObjective objective(problem.lists, kind.trees, {margin});
    RegularisedLoss likelihood(objective, 0.0, pool);
    check(problem, likelihood, margin, random_weights(random, problem.lists.weights()), random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(JointLabels, TheLossIsThatOfAllLabelledTrees) {
  for_each_joint_problem(64, [](const JointProblem& problem, RegularisedLoss& likelihood, double margin,
                                const std::vector<float>& weights, Generator&) {
    ASSERT_EQ(likelihood.dimension(), weights.size());
    std::vector<float> gradient(weights.size());
    const double expected = naive_loss(problem, weights, margin);
    EXPECT_NEAR(likelihood.evaluate(weights, gradient), expected, 1e-8 * std::max(1.0, std::abs(expected)));
  });
}

TEST(JointLabels, TheGradientIsThatOfDifferences) {
  for_each_joint_problem(32, [](const JointProblem&, RegularisedLoss& likelihood, double,
                                std::vector<float> weights, Generator& random) {
    std::vector<float> gradient(weights.size());
    std::vector<float> ignored(weights.size());
    likelihood.evaluate(weights, gradient);
    for (int trial = 0; trial < 40; ++trial) {
      const auto k = static_cast<std::size_t>(uniform_int(random, 0, static_cast<int>(weights.size()) - 1));
      constexpr float kStep = 1.0F / 4096;
      const float before = weights[k];
      weights[k] = before + kStep;
      const double above = likelihood.evaluate(weights, ignored);
      weights[k] = before - kStep;
      const double below = likelihood.evaluate(weights, ignored);
      weights[k] = before;
      EXPECT_NEAR(gradient[k], (above - below) / (2.0 * kStep), 1e-4);
    }
  });
}

TEST(JointLabels, EveryLearnerLearnsThem) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(60, 1));
  const std::vector<Sentence> unseen = read_text(toy_treebank(20, 2));
  TaskPool pool(1);
  TrainingObserver nobody;
  for (const LearnerKind learner :
       {LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron, LearnerKind::mira}) {
    SCOPED_TRACE(name(learner));
    TrainingOptions options;
    options.learner = learner;
    options.factorization = Factorization::sibling;
    options.joint_labels = true;
    options.iterations = learner == LearnerKind::lbfgs ? 30 : 8;
    const copse::ParserModel model = train(sentences, {}, options, {}, pool, nobody);
    ASSERT_NE(model.labels(), nullptr);
    SentenceParser parser(model, {});
    Parse result;
    int right = 0;
    int words = 0;
    for (const Sentence& gold : unseen) {
      parser.parse(gold, result);
      for (int word = 1; word <= gold.size(); ++word) {
        ++words;
        right += result.best().heads[static_cast<std::size_t>(word)] == gold[word].head() &&
                         result.best().labels[static_cast<std::size_t>(word)] == gold[word].deprel()
                     ? 1
                     : 0;
      }
    }
    EXPECT_GT(right, words * 98 / 100);
  }
}

// The root words of all pieces but the first hang on a word, and so cannot be called root.
TEST(JointLabels, RootsOfLaterPiecesHaveOtherLabels) {
  TaskPool pool(1);
  TrainingObserver nobody;
  TrainingOptions options;
  options.factorization = Factorization::sibling;
  options.root = RootMode::single;
  options.joint_labels = true;
  options.iterations = 10;
  const copse::ParserModel model = train(read_text(toy_treebank(60, 1)), {}, options, {}, pool, nobody);
  ParseOptions in_pieces;
  in_pieces.max_whole_words = 12;
  in_pieces.max_piece_words = 10;
  SentenceParser parser(model, in_pieces);
  Sentence sentence;
  for (const Sentence& next : read_text(toy_treebank(6, 2))) {
    for (const Token& word : next.words()) sentence.add_word(word);
  }
  Parse result;
  parser.parse(sentence, result);
  ASSERT_GT(result.pieces, 1);
  for (std::size_t word = 1; word < result.best().heads.size(); ++word) {
    EXPECT_EQ(result.best().labels[word] == "root", result.best().heads[word] == 0) << word;
  }
}

// What a parser says about labelled trees, against all of them.
class LabelledTrees {
 public:
  LabelledTrees(Parser& parser, const copse::ParserModel& model, const Sentence& sentence) {
    parser.assign(sentence);
    LabelScorer scorer(*model.labels());
    SentenceParts parts;
    parts.assign(sentence.size(), {}, model.factorization());
    scorer.assign(sentence, parts.tuples(), 1.0 / model.temperature());
    std::vector<ArcLabels> labels;
    std::vector<std::vector<double>> scores;  // views last until the next arc
    for (int arc = 0; arc < parts.arcs().size(); ++arc) {
      labels.push_back(scorer.score(arc));
      scores.emplace_back(labels.back().scores.begin(), labels.back().scores.end());
      labels.back().scores = scores.back();
    }
    for (const Heads& heads : all_projective_trees(sentence.size())) {
      add(parser, parts.parts(), labels, heads);
    }
  }

  double best = -1e300;
  long double sum = 0.0;
  std::map<std::tuple<int, int, int>, long double> sums;  // by head, modifier and label
  std::map<std::pair<int, int>, long double> arc_sums;

 private:
  void add(Parser& parser, const PartIndex& parts, const std::vector<ArcLabels>& labels, const Heads& heads) {
    const std::vector<int> siblings = inner_siblings(heads);
    double best_score = parser.trees().score(heads);
    const long double weight = std::exp(static_cast<long double>(best_score));
    sum += weight;
    for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
      const int head = heads[static_cast<std::size_t>(word)];
      const int grandparent = head == 0 ? 0 : heads[static_cast<std::size_t>(head)];
      const int arc = parts.arcs().find(head, word);
      const auto part = parts.labelled(grandparent, head, siblings[static_cast<std::size_t>(word)], word);
      const ArcLabels& of_arc = labels[static_cast<std::size_t>(arc)];
      const auto scores = of_arc.of_part(static_cast<int>(part - parts.labelled_begin(arc)));
      long double all = 0.0;
      for (const double score : scores) all += std::exp(static_cast<long double>(score));
      // What the labels gave to the sum is replaced by what the best one gives.
      best_score += *std::max_element(scores.begin(), scores.end()) - static_cast<double>(std::log(all));
      for (std::size_t k = 0; k < scores.size(); ++k) {
        sums[{head, word, of_arc.labels[k]}] += weight * std::exp(static_cast<long double>(scores[k])) / all;
      }
      arc_sums[{head, word}] += weight;
    }
    best = std::max(best, best_score);
  }
};

TEST(JointLabels, ParsersSumOverAllLabelledTrees) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(30, 1));
  TaskPool pool(1);
  TrainingObserver nobody;
  for (const Factorization factorization : kFactorizations) {
    TrainingOptions options;
    options.factorization = factorization;
    options.joint_labels = true;
    options.iterations = 3;  // before the model is sure of anything
    options.prune_threshold = 0.0;
    const copse::ParserModel model = train(sentences, {}, options, {}, pool, nobody);
    Parser parser(model);
    Generator random = case_generator(1);
    for (int number = 0; number < 12; ++number) {
      SCOPED_TRACE(std::string(name(factorization)) + ", sentence " + std::to_string(number));
      const Sentence sentence = random_sentence(random, uniform_int(random, 1, 5));
      const LabelledTrees all(parser, model, sentence);
      std::vector<int> found(static_cast<std::size_t>(sentence.size()) + 1);
      EXPECT_NEAR(parser.labelled_trees().best_tree(found), all.best,
                  1e-9 * std::max(1.0, std::abs(all.best)));
      EXPECT_NEAR(parser.trees().log_partition(), static_cast<double>(std::log(all.sum)), 1e-8);
      std::vector<double> probabilities;
      for (const auto& [place, sum] : all.sums) {
        const auto [head, modifier, label] = place;
        parser.label_probabilities(parser.arcs().find(head, modifier), probabilities);
        EXPECT_NEAR(probabilities[static_cast<std::size_t>(label)],
                    static_cast<double>(sum / all.arc_sums.at({head, modifier})), 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace copse
