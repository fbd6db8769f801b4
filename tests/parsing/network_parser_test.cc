// The parser with potentials of networks, against all trees, whose parts are scored one by one as the
// documentation defines it.
#include <gtest/gtest.h>

#include "inference/enumeration.h"
#include "model/network_potentials.h"
#include "network/encoder_pass.h"
#include "network/made_up_network.h"
#include "parsing/parser.h"

namespace copse::testing {
namespace {

constexpr int kShortSentence = 5;

// A network whose larger parts matter.
Network loud_network(Factorization factorization) {
  NetworkDescription description = made_up_description(odd_shape(factorization));
  std::vector<float> weights = made_up_weights(description.shape, 3);
  const NetworkBlocks blocks(description.shape);
  const auto change = [&](const Block& block, float factor, float summand) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      weights[block.offset + k] = factor * weights[block.offset + k] + summand;
    }
  };
  change(blocks.roles.weights, 4.0F, 0.0F);
  change(blocks.roles.bias, 1.0F, 1.0F);  // what rectifiers let through
  return {std::move(description), weights};
}

// The potentials of all parts that one can think of.
class NaiveScores {
 public:
  NaiveScores(const Network& network, const Sentence& sentence)
      : columns_(network.shape()),
        weights_(network.weights().part_weights()),
        encoder_(network),
        pass_(network) {
    WordInputs inputs;
    Sequences sequences;
    InputReader(network.description().inputs, network.description().vectors_or_null(), network.shape())
        .append(sentence, inputs);
    sequences.add(static_cast<std::size_t>(sentence.size()) + 1);
    roles_ = encoder_.run(inputs, sequences);
    arcs_ = pass_.arc_scores(roles_);
  }

  double operator()(PartKind kind, const Part& part) const {
    if (kind == PartKind::arc) return arcs_.row(static_cast<std::size_t>(part.modifier))[part.head];
    const RoleColumns::Part& columns = columns_.part(kind);
    const PartWeights& weights = weights_[static_cast<std::size_t>(kind)];
    double sum = 0.0;
    for (std::size_t k = 0; k < weights.weights.size(); ++k) {
      const auto role = [&](int word, Columns of) -> double {
        return roles_.row(static_cast<std::size_t>(word))[of.begin + k];
      };
      double product = weights.weights[k];
      product *= role(part.head, columns.head);
      product *= role(part.modifier, columns.modifier);
      if (has_grandparent(kind)) {
        product *= part.head == 0 ? weights.no_grandparent[k] : role(part.grandparent, columns.grandparent);
      }
      const bool is_innermost = part.sibling == part.head;
      if (has_sibling(kind)) {
        product *= is_innermost ? weights.no_sibling[k] : role(part.sibling, columns.sibling);
      }
      if (has_second_sibling(kind) && !is_innermost) {
        product *= part.second_sibling == part.head ? weights.no_second_sibling[k]
                                                    : role(part.second_sibling, columns.second_sibling);
      }
      sum += product;
    }
    return sum;
  }

 private:
  RoleColumns columns_;
  AllPartWeights weights_;
  EncoderPass encoder_;
  NetworkPass pass_;
  ConstMatrix roles_;
  ConstMatrix arcs_;
};

// Products are floats, all else is not.
void expect_near(double found, long double expected) {
  EXPECT_NEAR(found, static_cast<double>(expected), 1e-4);
}

class NetworkParser : public ::testing::TestWithParam<Factorization> {};

TEST_P(NetworkParser, SaysWhatAllTreesSay) {
  const Network network = loud_network(GetParam());
  Random random(20261117);
  const Sentence sentence = made_up_sentence(random, kShortSentence);
  const NaiveScores scores(network, sentence);
  TreeModel model(kShortSentence);
  model.factorization = GetParam();
  for (const Order order : orders_of(GetParam())) {
    double largest = 0.0;
    for_each_conceivable_part(order, kShortSentence, [&](const Part& part) {
      double& potential = model.potentials.at(order, part);
      potential = scores(static_cast<PartKind>(order), part);
      largest = std::max(largest, std::abs(potential));
    });
    EXPECT_GT(largest, 0.1) << to_string(order) << " parts hardly matter";
  }
  for (const RootMode root : kRootModes) {
    for (const double threshold : {0.0, 0.3}) {
      SCOPED_TRACE(std::string(name(root)) + ", pruned at " + std::to_string(threshold));
      ParserOptions options;
      options.prune_threshold = threshold;
      Parser parser(std::make_unique<NetworkPotentials>(network), root, options);
      parser.assign(sentence);
      model.root = root;
      model.candidates.clear();
      for (int arc = 0; arc < parser.arcs().size(); ++arc) model.candidates.push_back(parser.arcs()[arc]);
      EXPECT_EQ(model.candidates.size() == kShortSentence * kShortSentence,
                threshold == 0.0 || GetParam() == Factorization::first);
      const Enumeration all(model);
      TreeDistribution& trees = parser.trees();
      expect_near(trees.log_partition(), all.log_partition());
      Heads heads(kShortSentence + 1);
      expect_near(trees.best_tree(heads), all.trees().front().score);
      EXPECT_EQ(heads, *all.trees().front().heads);
      for (const Enumeration::Tree& tree : all.trees()) {
        expect_near(trees.score(*tree.heads), tree.score);
      }
      const auto marginals = all.marginals();
      for (const Arc& arc : model.candidates) {
        const auto number = static_cast<std::size_t>(parser.arcs().find(arc.head, arc.modifier));
        expect_near(trees.marginals().arc[number], marginals.at(Order::arc, {0, arc.head, 0, arc.modifier}));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Factorizations, NetworkParser, ::testing::ValuesIn(kFactorizations),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace
}  // namespace copse::testing
