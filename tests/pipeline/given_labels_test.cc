// Given labels and labelled trees through the whole pipeline: what follows from them under each kind of
// model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "copse/pipeline.h"
#include "labelling/labelled_toys.h"
#include "labelling/labeller_trainer.h"
#include "model/network_labels.h"
#include "network/made_up_network.h"
#include "parser_training/trainer.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"

namespace copse::testing {
namespace {

Model shared(ModelComponents components) {
  return Model(std::make_shared<const ModelComponents>(std::move(components)));
}

ModelComponents joint_components(Factorization factorization, RootMode root) {
  TrainingOptions options;
  options.factorization = factorization;
  options.root = root;
  options.joint_labels = true;
  options.iterations = 5;
  options.prune_threshold = 0.0;
  TaskPool pool(1);
  TrainingObserver nobody;
  return {train(read_text(toy_treebank(30, 1)), {}, options, {}, pool, nobody)};
}
Model joint_model(Factorization factorization, RootMode root) {
  return shared(joint_components(factorization, root));
}

// The first label stands at the root, the last one anywhere, the others elsewhere.
Model network_model(Factorization factorization, RootMode root) {
  Network network = made_up_network(odd_shape(factorization));
  RootLabels root_labels(network.description().labels.size());
  for (std::size_t label = 0; label < network.description().labels.size(); ++label) {
    const bool is_last = label + 1 == network.description().labels.size();
    if (label == 0 || is_last) root_labels.count(static_cast<Label>(label), ArcPlace::at_root);
    if (label > 0) root_labels.count(static_cast<Label>(label), ArcPlace::inside);
  }
  return shared({copse::ParserModel(root, std::move(network), 0.0, std::move(root_labels))});
}

Sentence toy_sentence() {
  Sentence sentence = read_text(
                          "1\tthe\t_\tDET\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n"
                          "3\tsees\t_\tVERB\tVBZ\t_\t_\t_\t_\t_\n4\tBen\t_\tPROPN\tNNP\t_\t_\t_\t_\t_\n\n")
                          .front();
  return sentence;
}

struct Pair {
  ParsedTree tree;
  double probability;
};

ParseOptions flat_options() {
  ParseOptions options;
  options.probabilities = true;
  options.prune_threshold = 0.0;
  options.temperature = 4.0;
  options.tags = TagUse::never;
  return options;
}

// All pairs of a tree and labels: the pipeline says that there are no others, if their probabilities sum up
// to 1.
std::vector<Pair> all_pairs(const Model& model, const Sentence& sentence) {
  ParseOptions options = flat_options();
  options.kbest = 1'000'000;
  options.kbest_labels = true;
  Parse parse;
  Sentence copy = sentence;
  Pipeline(model, options).parse(copy, parse);
  std::vector<Pair> pairs;
  double sum = 0.0;
  std::set<std::pair<std::vector<int>, std::vector<std::string>>> different;
  for (const ParsedTree& tree : parse.trees) {
    pairs.push_back({tree, std::exp(tree.log_probability)});
    sum += pairs.back().probability;
    different.insert({tree.heads, tree.labels});
  }
  EXPECT_NEAR(sum, 1.0, 1e-9);
  EXPECT_EQ(different.size(), pairs.size());
  return pairs;
}

bool agrees(const Sentence& given, const ParsedTree& tree) {
  for (int word = 1; word <= given.size(); ++word) {
    const auto at = static_cast<std::size_t>(word);
    if (given[word].head() != kNoHead && given[word].head() != tree.heads[at]) return false;
    if (given[word].deprel() != "_" && given[word].deprel() != tree.labels[at]) return false;
  }
  return true;
}

// Of all pairs that agree with what is given.
struct Conditional {
  std::vector<double> probabilities;  // in falling order
  std::map<std::vector<int>, double> trees;
  std::map<std::pair<int, int>, double> arcs;
  std::map<std::tuple<int, int, std::string>, double> labels;

  Conditional(const std::vector<Pair>& pairs, const Sentence& given) {
    double sum = 0.0;
    for (const Pair& pair : pairs) sum += agrees(given, pair.tree) ? pair.probability : 0.0;
    for (const Pair& pair : pairs) {
      if (!agrees(given, pair.tree)) continue;
      const double probability = pair.probability / sum;
      probabilities.push_back(probability);
      trees[pair.tree.heads] += probability;
      for (std::size_t word = 1; word < pair.tree.heads.size(); ++word) {
        const int head = pair.tree.heads[word];
        arcs[{head, static_cast<int>(word)}] += probability;
        labels[{head, static_cast<int>(word), pair.tree.labels[word]}] += probability;
      }
    }
    std::sort(probabilities.begin(), probabilities.end(), std::greater<>());
  }
  double entropy() const {
    double sum = 0.0;
    for (const auto& [heads, probability] : trees) sum -= probability * std::log(probability);
    return sum;
  }
};

void expect_conditioned(const Model& model, const std::vector<Pair>& pairs, const Sentence& given) {
  const Conditional expected(pairs, given);
  ASSERT_FALSE(expected.probabilities.empty());
  ParseOptions options = flat_options();
  options.keep_known = true;
  options.kbest = static_cast<int>(expected.probabilities.size()) + 1;
  options.kbest_labels = true;
  options.min_alternative = 1e-12;
  Parse parse;
  Sentence copy = given;
  Pipeline pipeline(model, options);
  pipeline.parse(copy, parse);
  EXPECT_TRUE(parse.ignored_labels.empty());
  EXPECT_NEAR(parse.entropy, expected.entropy(), 1e-6);
  ASSERT_EQ(parse.trees.size(), expected.probabilities.size());
  for (std::size_t rank = 0; rank < parse.trees.size(); ++rank) {
    const ParsedTree& tree = parse.trees[rank];
    EXPECT_NEAR(std::exp(tree.log_probability), expected.probabilities[rank], 1e-6);
    EXPECT_TRUE(agrees(given, tree));
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      const int number = static_cast<int>(word);
      const double of_arc = expected.arcs.at({tree.heads[word], number});
      EXPECT_NEAR(tree.head_probabilities[word], of_arc, 1e-6);
      EXPECT_NEAR(tree.label_probabilities[word] * of_arc,
                  expected.labels.at({tree.heads[word], number, tree.labels[word]}), 1e-6);
    }
  }
  for (const auto& [arc, probability] : expected.arcs) {
    const auto& heads = parse.alternatives[static_cast<std::size_t>(arc.second)];
    const int wanted = arc.first;
    const auto found = std::find_if(heads.begin(), heads.end(),
                                    [&](const HeadAlternative& head) { return head.head == wanted; });
    ASSERT_NE(found, heads.end());
    EXPECT_NEAR(found->probability, probability, 1e-6);
    EXPECT_NEAR(found->label_probability * probability,
                expected.labels.at({wanted, arc.second, found->label}), 1e-6);
  }
  // The best tree alone: probabilities are the same, whatever the decoder.
  for (const Decoder decoder : {Decoder::best, Decoder::mbr}) {
    options.kbest = 0;
    options.decoder = decoder;
    pipeline.set_options(options);
    pipeline.parse(copy, parse);
    EXPECT_TRUE(agrees(given, parse.best()));
    for (std::size_t word = 1; word < parse.best().heads.size(); ++word) {
      EXPECT_NEAR(parse.best().head_probabilities[word],
                  expected.arcs.at({parse.best().heads[word], static_cast<int>(word)}), 1e-6);
    }
  }
}

// Heads and labels of one of the pairs, some of them.
Sentence given_in_part(const Sentence& sentence, const ParsedTree& tree, std::mt19937& random) {
  Sentence given = sentence;
  for (int word = 1; word <= given.size(); ++word) {
    const auto at = static_cast<std::size_t>(word);
    if (random() % 4 == 0) given[word].set_head(tree.heads[at]);
    if (random() % 3 == 0) given[word].set_deprel(tree.labels[at]);
  }
  return given;
}

void expect_conditioned_on_anything(const Model& model, const Sentence& sentence) {
  const std::vector<Pair> pairs = all_pairs(model, sentence);
  std::mt19937 random(3);
  for (int trial = 0; trial < 6; ++trial) {
    SCOPED_TRACE(trial);
    expect_conditioned(model, pairs, given_in_part(sentence, pairs[random() % pairs.size()].tree, random));
  }
}

TEST(GivenLabels, OfJointModelsConditionHeadsAndLabels) {
  for (const Factorization factorization : {Factorization::first, Factorization::grandsibling}) {
    for (const RootMode root : {RootMode::single, RootMode::multi}) {
      expect_conditioned_on_anything(joint_model(factorization, root), toy_sentence());
    }
  }
}

TEST(GivenLabels, OfNetworksConditionHeads) {
  Random random(8);
  for (const Factorization factorization : {Factorization::first, Factorization::grandsibling}) {
    for (const RootMode root : {RootMode::single, RootMode::multi}) {
      expect_conditioned_on_anything(network_model(factorization, root), made_up_sentence(random, 3));
    }
  }
}

// A network's pairs are its trees, times the probabilities of labels given arcs.
TEST(GivenLabels, PairsOfANetworkAreTreesAndLabelsGivenArcs) {
  Random random(9);
  const Model model = network_model(Factorization::sibling, RootMode::single);
  const Sentence sentence = made_up_sentence(random, 3);
  ParseOptions options = flat_options();
  options.kbest = 1000;
  Parse parse;
  Sentence copy = sentence;
  Pipeline(model, options).parse(copy, parse);
  std::map<std::vector<int>, double> trees;
  for (const ParsedTree& tree : parse.trees) trees[tree.heads] = tree.log_probability;
  for (const Pair& pair : all_pairs(model, sentence)) {
    double expected = trees.at(pair.tree.heads);
    for (std::size_t word = 1; word < pair.tree.heads.size(); ++word) {
      expected += std::log(pair.tree.label_probabilities[word]);
    }
    EXPECT_NEAR(pair.tree.log_probability, expected, 1e-6);
  }
  // The best labels of a tree come first among its pairs, as the pipeline labels trees by themselves.
  const ParsedTree& best = parse.best();
  for (const Pair& pair : all_pairs(model, sentence)) {
    if (pair.tree.heads != best.heads) continue;
    EXPECT_EQ(pair.tree.labels, best.labels);
    for (std::size_t word = 1; word < best.heads.size(); ++word) {
      EXPECT_NEAR(pair.tree.label_probabilities[word], best.label_probabilities[word], 1e-6);
    }
    break;
  }
}

TEST(GivenLabels, AWordThatIsKnownToBeTheRootBecomesIt) {
  const Model model = joint_model(Factorization::sibling, RootMode::single);
  for (int word = 1; word <= 4; ++word) {
    Sentence given = toy_sentence();
    given[word].set_deprel("root");
    ParseOptions options;
    options.keep_known = true;
    Parse parse;
    Pipeline(model, options).parse(given, parse);
    const bool is_root = parse.best().heads[static_cast<std::size_t>(word)] == 0;
    const bool is_ignored = parse.ignored_labels == std::vector<int>({word});
    EXPECT_NE(is_root, is_ignored) << word;
    EXPECT_EQ(parse.best().labels[static_cast<std::size_t>(word)], "root");
    // Only verbs are roots in the toy language.
    if (word == 3) {
      EXPECT_TRUE(is_root);
    }
  }
}

TEST(GivenLabels, LabelsThatNoTreeHasStayAndSayNothing) {
  const Model model = joint_model(Factorization::sibling, RootMode::single);
  ParseOptions options = flat_options();
  options.keep_known = true;
  Sentence given = toy_sentence();
  Parse free;
  Sentence copy = given;
  Pipeline(model, options).parse(copy, free);
  given[1].set_deprel("root");
  given[3].set_head(0);
  given[3].set_deprel("root");
  given[4].set_deprel("unheard-of");
  Parse parse;
  copy = given;
  Pipeline(model, options).parse(copy, parse);
  EXPECT_EQ(parse.ignored_labels, std::vector<int>({1, 4}));
  EXPECT_EQ(parse.best().labels[1], "root");
  EXPECT_EQ(parse.best().labels[4], "unheard-of");
  Sentence only_one = toy_sentence();
  only_one[3].set_head(0);
  only_one[3].set_deprel("root");
  Parse without;
  Pipeline(model, options).parse(only_one, without);
  EXPECT_EQ(parse.best().heads, without.best().heads);
  EXPECT_EQ(parse.best().head_probabilities, without.best().head_probabilities);
  EXPECT_EQ(parse.entropy, without.entropy);
  EXPECT_NE(parse.entropy, free.entropy);
  // Labels that do not come from the model make no other pairs.
  options.kbest = 1000;
  options.kbest_labels = true;
  copy = given;
  Pipeline(model, options).parse(copy, parse);
  std::set<std::pair<std::vector<int>, std::vector<std::string>>> different;
  double sum = 0.0;
  for (const ParsedTree& tree : parse.trees) {
    different.insert({tree.heads, tree.labels});
    sum += std::exp(tree.log_probability);
  }
  EXPECT_EQ(different.size(), parse.trees.size());
  EXPECT_NEAR(sum, 1.0, 1e-9);
}

// In pieces: labels hold within them, and labelled trees come in order, each once.
TEST(GivenLabels, LongSentencesHaveLabelledTrees) {
  for (const RootMode root : {RootMode::single, RootMode::multi}) {
    const Model models[] = {joint_model(Factorization::sibling, root),
                            network_model(Factorization::sibling, root)};
    for (const Model& model : models) {
      ParseOptions options = flat_options();
      options.keep_known = true;
      options.kbest = 60;
      options.kbest_labels = true;
      options.max_whole_words = 8;
      options.max_piece_words = 6;
      Sentence sentence = long_sentence(20);
      for (Token& word : sentence.words()) word.set_deprel("_");
      sentence[14].set_deprel(model.components().labels()->back());
      Parse parse;
      Pipeline(model, options).parse(sentence, parse);
      ASSERT_GT(parse.pieces, 2);
      ASSERT_EQ(parse.trees.size(), 60U);
      std::set<std::pair<std::vector<int>, std::vector<std::string>>> different;
      for (const ParsedTree& tree : parse.trees) {
        different.insert({tree.heads, tree.labels});
        EXPECT_LE(tree.log_probability, parse.best().log_probability);
        EXPECT_EQ(tree.labels[14], model.components().labels()->back());
      }
      EXPECT_EQ(different.size(), 60U);
    }
  }
}

TEST(GivenLabels, OfTwoStageModelsConditionTheLabelsBeside) {
  ModelComponents components{toy_model(Factorization::first, RootMode::single, 0.0)};
  TaskPool pool(1);
  SequenceObserver nobody;
  components.labeller = train_labeller(read_text(labelled_toys(80, 1)), {}, {}, pool, nobody);
  const Model model = shared(std::move(components));
  // Two nouns after the verb: iobj, obj.
  Sentence sentence;
  for (const Sentence& toy : read_text(labelled_toys(20, 2))) {
    if (toy.size() == 8) sentence = toy;
  }
  ASSERT_EQ(sentence.size(), 8);
  ParseOptions options;
  options.keep_known = true;
  options.probabilities = true;
  const auto labels_of = [&](const char* first, const char* second) {
    Sentence given = sentence;
    for (Token& word : given.words()) word.set_deprel("_");
    given[5].set_deprel(first);
    given[7].set_deprel(second);
    Parse parse;
    Pipeline(model, options).parse(given, parse);
    return parse.best();
  };
  const ParsedTree free = labels_of("_", "_");
  EXPECT_EQ(free.labels[5], "iobj");
  EXPECT_EQ(free.labels[7], "obj");
  const ParsedTree given = labels_of("iobj", "_");
  EXPECT_EQ(given.labels[7], "obj");
  EXPECT_GT(given.label_probabilities[7], free.label_probabilities[7]);
  EXPECT_EQ(given.label_probabilities[5], 1.0);
  // A label that makes the other one less certain.
  EXPECT_LT(labels_of("obj", "_").label_probabilities[7], free.label_probabilities[7]);
}

TEST(GivenLabels, ModelsSayWhyTheyHaveNoLabelledTrees) {
  ParseOptions options;
  options.kbest = 2;
  options.kbest_labels = true;
  const auto error_of = [&](ModelComponents components) -> std::string {
    try {
      const Pipeline pipeline(shared(std::move(components)), options);
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  const auto parser = [] { return toy_model(Factorization::first, RootMode::single, 0.0); };
  EXPECT_NE(error_of({parser()}).find("has no labels"), std::string::npos);
  ModelComponents two_stages{parser()};
  TaskPool pool(1);
  SequenceObserver nobody;
  two_stages.labeller = train_labeller(read_text(labelled_toys(20, 1)), {}, {}, pool, nobody);
  EXPECT_NE(error_of(std::move(two_stages)).find("labels trees when they are found"), std::string::npos);
  ModelComponents joint = joint_components(Factorization::first, RootMode::single);
  EXPECT_EQ(joint.why_no_labelled_trees(), "");
  joint.is_pseudo_projective = true;
  EXPECT_NE(error_of(std::move(joint)).find("which arcs cross"), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
