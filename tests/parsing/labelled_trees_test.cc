// What parsers say about labels and labelled trees given heads and labels, against the enumeration of all
// labelled trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "inference/enumeration.h"
#include "inference/random_cases.h"
#include "inference/test_settings.h"
#include "parsing/parser.h"
#include "parsing/table_source.h"

namespace copse::testing {
namespace {

struct Problem {
  int words = 1;
  Factorization factorization = Factorization::first;
  TreeSpace trees = RootMode::multi;
  TableLabels labels;
  double temperature = 1.0;
  double prune_threshold = 0.0;
  bool are_roots_attached = false;
  Constraints constraints;
  std::vector<std::vector<Label>> known;  // by word
};

std::vector<std::span<const Label>> lists_of(const Problem& problem) {
  return {problem.known.begin(), problem.known.end()};
}

Problem random_problem(Generator& random, Factorization factorization) {
  Problem problem;
  problem.words = uniform_int(random, 1, 5);
  problem.factorization = factorization;
  problem.trees.root = happens(random, 0.5) ? RootMode::single : RootMode::multi;
  if (factorization == Factorization::first && happens(random, 0.4)) {
    problem.trees.kind = TreeKind::nonprojective;
  }
  const int most_labels = problem.words == 5 ? 2 : 4;
  problem.labels = {uniform_int(random, 1, most_labels), happens(random, 0.4), happens(random, 0.7)};
  problem.temperature = happens(random, 0.5) ? 1.0 : uniform(random, 0.5, 3.0);
  problem.prune_threshold = happens(random, 0.3) ? uniform(random, 0.01, 0.5) : 0.0;
  problem.are_roots_attached = happens(random, 0.2);
  if (happens(random, 0.6)) {
    const Heads tree = random_projective_tree(random, problem.words, problem.trees.root);
    problem.constraints.heads.assign(static_cast<std::size_t>(problem.words) + 1, Constraints::kAnyHead);
    for (int word = 1; word <= problem.words; ++word) {
      if (happens(random, 0.3)) problem.constraints.heads[static_cast<std::size_t>(word)] = tree[word];
    }
  }
  if (happens(random, 0.8)) {
    problem.known.resize(static_cast<std::size_t>(problem.words) + 1);
    for (int word = 1; word <= problem.words; ++word) {
      // Several labels can mean the same.
      while (happens(random, 0.4)) {
        problem.known[static_cast<std::size_t>(word)].push_back(
            static_cast<Label>(uniform_int(random, 0, problem.labels.count - 1)));
      }
    }
  }
  return problem;
}

bool contains_label(const std::vector<Label>& list, int label) {
  return std::find(list.begin(), list.end(), label) != list.end();
}

// The labels that an arc of a tree may have, with -1 for none.
std::vector<int> labels_of_arc(const Problem& problem, int head, int word, const std::set<int>& set_aside) {
  if ((problem.are_roots_attached && head == 0) || set_aside.contains(word)) return {-1};
  const std::vector<Label> candidates = candidates_of(problem.labels, {head, word});
  const bool is_known = !problem.known.empty() && !problem.known[static_cast<std::size_t>(word)].empty();
  std::vector<int> labels;
  for (const Label label : candidates) {
    if (!is_known || contains_label(problem.known[static_cast<std::size_t>(word)], label)) {
      labels.push_back(label);
    }
  }
  if (candidates.empty() && !is_known) labels.push_back(-1);
  return labels;
}

bool has_heads(const Problem& problem, const Heads& heads) {
  if (problem.trees.root == RootMode::single && !has_single_root(heads)) return false;
  for (int word = 1; word <= problem.words && !problem.constraints.heads.empty(); ++word) {
    const int head = problem.constraints.heads[static_cast<std::size_t>(word)];
    if (head != Constraints::kAnyHead && head != heads[static_cast<std::size_t>(word)]) return false;
  }
  return true;
}

// By looking at all of them.
struct LabelledTrees {
  using Tree = std::pair<Heads, std::vector<int>>;
  std::map<Tree, double> scores;
  std::map<Heads, double> tree_sums;
  std::map<std::pair<int, int>, double> arcs;            // the sums of all trees with the arc
  std::map<std::tuple<int, int, int>, double> labelled;  // and with the label
  double sum = 0.0;

  LabelledTrees(const Problem& problem, const ArcSet& arcs_left, const std::set<int>& set_aside) {
    for (const Heads& heads : all_trees(problem.trees.kind, problem.words)) {
      bool is_possible = has_heads(problem, heads);
      for (int word = 1; word <= problem.words; ++word) {
        is_possible &= arcs_left.find(heads[static_cast<std::size_t>(word)], word) != ArcSet::kNone;
      }
      if (is_possible) add_tree(problem, heads, set_aside);
    }
  }

 private:
  void add_tree(const Problem& problem, const Heads& heads, const std::set<int>& set_aside) {
    const double factor = 1.0 / problem.temperature;
    double score = 0.0;
    std::vector<std::vector<std::pair<int, double>>> choices(heads.size());  // by word
    for_each_part_of_tree(heads, problem.factorization, [&](PartKind kind, const PartWords& part) {
      score += factor * potential_of(problem.words, kind, part);
      if (kind != labelled_kind(problem.factorization)) return;
      const std::vector<Label> candidates = candidates_of(problem.labels, {part.head, part.modifier});
      const std::vector<double> of_labels =
          label_scores(problem.labels, problem.words, normalised(kind, part), factor);
      double all = 0.0;
      for (const double one : of_labels) all += std::exp(one);
      for (const int label : labels_of_arc(problem, part.head, part.modifier, set_aside)) {
        const auto at = std::find(candidates.begin(), candidates.end(), label) - candidates.begin();
        // An arc without a label: all that it could have together, if there are any.
        const double own = label >= 0           ? of_labels[static_cast<std::size_t>(at)]
                           : candidates.empty() ? 0.0
                                                : std::log(all);
        choices[static_cast<std::size_t>(part.modifier)].emplace_back(label, own);
      }
    });
    std::vector<int> labels(heads.size(), -1);
    add_labellings(heads, choices, 1, score, labels);
  }

  void add_labellings(const Heads& heads, const std::vector<std::vector<std::pair<int, double>>>& choices,
                      std::size_t word, double score, std::vector<int>& labels) {
    if (word == heads.size()) {
      scores[{heads, labels}] = score;
      const double weight = std::exp(score);
      sum += weight;
      tree_sums[heads] += weight;
      for (std::size_t m = 1; m < heads.size(); ++m) {
        arcs[{heads[m], static_cast<int>(m)}] += weight;
        labelled[{heads[m], static_cast<int>(m), labels[m]}] += weight;
      }
      return;
    }
    for (const auto& [label, own] : choices[word]) {
      labels[word] = label;
      add_labellings(heads, choices, word + 1, score + own, labels);
    }
  }
};

// How many known labels the best tree loses.
int fewest_set_aside(const Problem& problem) {
  int fewest = problem.words + 1;
  for (const Heads& heads : all_trees(problem.trees.kind, problem.words)) {
    if (!has_heads(problem, heads)) continue;
    int lost = 0;
    for (int word = 1; word <= problem.words && !problem.known.empty(); ++word) {
      lost += labels_of_arc(problem, heads[static_cast<std::size_t>(word)], word, {}).empty() ? 1 : 0;
    }
    fewest = std::min(fewest, lost);
  }
  return fewest;
}

void expect_sums(Parser& parser, const LabelledTrees& all) {
  EXPECT_NEAR(parser.trees().log_partition(), std::log(all.sum), 1e-9);
  double entropy = 0.0;
  for (const auto& [heads, weight] : all.tree_sums) {
    EXPECT_NEAR(parser.trees().log_probability(heads), std::log(weight / all.sum), 1e-9);
    entropy -= weight / all.sum * std::log(weight / all.sum);
  }
  EXPECT_NEAR(parser.trees().entropy(), entropy, 1e-9);
  for (int arc = 0; arc < parser.arcs().size(); ++arc) {
    const auto found = all.arcs.find({parser.arcs()[arc].head, parser.arcs()[arc].modifier});
    const double expected = found == all.arcs.end() ? 0.0 : found->second / all.sum;
    EXPECT_NEAR(parser.trees().marginals().arc[static_cast<std::size_t>(arc)], expected, 1e-9);
  }
}

void expect_label_probabilities(Parser& parser, const LabelledTrees& all) {
  std::vector<double> probabilities;
  for (const auto& [arc, weight] : all.arcs) {
    parser.label_probabilities(parser.arcs().find(arc.first, arc.second), probabilities);
    for (std::size_t label = 0; label < probabilities.size(); ++label) {
      const auto found = all.labelled.find({arc.first, arc.second, static_cast<int>(label)});
      if (all.labelled.contains({arc.first, arc.second, -1})) continue;
      EXPECT_NEAR(probabilities[label], found == all.labelled.end() ? 0.0 : found->second / weight, 1e-9);
    }
  }
}

void expect_best(Parser& parser, const LabelledTrees& all, int k) {
  std::vector<double> expected;
  for (const auto& [tree, score] : all.scores) expected.push_back(score);
  std::sort(expected.begin(), expected.end(), std::greater<>());
  expected.resize(std::min(expected.size(), static_cast<std::size_t>(k)));
  std::vector<LabelledParse> found;
  parser.k_best_labelled(k, found);
  ASSERT_EQ(found.size(), expected.size());
  std::set<LabelledTrees::Tree> different;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    EXPECT_NEAR(found[rank].score, expected[rank], 1e-9);
    const auto same = all.scores.find({found[rank].heads, found[rank].labels});
    ASSERT_NE(same, all.scores.end());
    EXPECT_NEAR(found[rank].score, same->second, 1e-9);
    EXPECT_NEAR(parser.log_probability(found[rank].score), same->second - std::log(all.sum), 1e-9);
    if (rank > 0) {
      EXPECT_LE(found[rank].score, found[rank - 1].score);
    }
    different.insert({found[rank].heads, found[rank].labels});
  }
  EXPECT_EQ(different.size(), found.size());
}

void expect_answers(Parser& parser, const Problem& problem, Generator& random) {
  const std::set<int> set_aside(parser.set_aside_labels().begin(), parser.set_aside_labels().end());
  EXPECT_EQ(static_cast<int>(set_aside.size()), problem.known.empty() ? 0 : fewest_set_aside(problem));
  const LabelledTrees all(problem, parser.arcs(), set_aside);
  ASSERT_GT(all.sum, 0.0);
  expect_sums(parser, all);
  expect_label_probabilities(parser, all);
  expect_best(parser, all, static_cast<int>(all.scores.size()) + 3);
  for (int trial = 0; trial < 3; ++trial) {
    expect_best(parser, all, uniform_int(random, 1, std::min(40, static_cast<int>(all.scores.size()))));
  }
  Heads heads(static_cast<std::size_t>(problem.words) + 1);
  for (int trial = 0; trial < 5; ++trial) {
    parser.trees().sample(random, heads);
    EXPECT_TRUE(all.tree_sums.contains(heads));
  }
}

TEST(LabelledTrees, AreThoseOfTheEnumerationGivenHeadsAndLabels) {
  for (int number = 0; number < scaled(240); ++number) {
    Generator random = case_generator(number);
    const Problem problem =
        random_problem(random, kFactorizations[static_cast<std::size_t>(number) % kFactorizations.size()]);
    SCOPED_TRACE(case_name(number) + ", " + std::string(name(problem.factorization)) + ", " +
                 std::to_string(problem.words) + " words");
    ParserOptions options;
    options.temperature = problem.temperature;
    options.prune_threshold = problem.prune_threshold;
    Parser parser(std::make_unique<TableSource>(problem.factorization, problem.labels), problem.trees,
                  options);
    const std::vector<std::span<const Label>> known = lists_of(problem);
    const Sentence sentence = sentence_of(problem.words);
    parser.assign(sentence, problem.constraints, {known, problem.are_roots_attached});
    expect_answers(parser, problem, random);
    // The same workspace, without what was known.
    Problem free = problem;
    free.known.clear();
    free.are_roots_attached = false;
    parser.assign(sentence, free.constraints);
    expect_answers(parser, free, random);
  }
}

// Labels that each could be had alone: as few as possible are set aside.
TEST(LabelledTrees, LabelsThatDoNotGoTogetherAreSetAside) {
  int conflicts = 0;
  for (int number = 0; number < 200; ++number) {
    Generator random = case_generator(1000 + number);
    Problem problem = random_problem(random, Factorization::first);
    problem.trees = RootMode::single;
    problem.constraints = {};
    problem.labels = {2, false, true};
    problem.are_roots_attached = false;
    problem.known.assign(static_cast<std::size_t>(problem.words) + 1, {});
    for (int word = 1; word <= problem.words; ++word) {
      problem.known[static_cast<std::size_t>(word)] = {static_cast<Label>(uniform_int(random, 0, 1))};
    }
    Parser parser(std::make_unique<TableSource>(problem.factorization, problem.labels), problem.trees);
    const std::vector<std::span<const Label>> known = lists_of(problem);
    parser.assign(sentence_of(problem.words), problem.constraints, {known});
    EXPECT_EQ(static_cast<int>(parser.set_aside_labels().size()), fewest_set_aside(problem));
    conflicts += parser.set_aside_labels().empty() ? 0 : 1;
  }
  EXPECT_GT(conflicts, 10);
}

}  // namespace
}  // namespace copse::testing
