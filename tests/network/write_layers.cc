// Writes what layers of networks make of random numbers, with these numbers, as JSON: for compare_layers.py.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "inference/tree_parts.h"
#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/low_rank_parts.h"
#include "network/lstm.h"
#include "network/tag_classifier.h"
#include "network/training_weights.h"
#include "random_numbers.h"

namespace copse {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<float>;

Json rows_of(ConstMatrix matrix) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    rows.push_back(Numbers(matrix.row(row), matrix.row(row) + matrix.columns));
  }
  return rows;
}

ConstMatrix columns_of(ConstMatrix matrix, Columns columns) {
  return {matrix.data + columns.begin, matrix.rows, columns.size, matrix.stride};
}

NetworkShape make_shape(Factorization factorization) {
  NetworkShape shape;
  shape.factorization = factorization;
  shape.words = 3;
  shape.word_size = 9;
  shape.spelling_size = 4;
  shape.hidden = 7;
  shape.arc_size = 11;
  shape.label_size = 6;
  shape.labels = 5;
  shape.rank = 32;
  shape.tag_hidden = 8;
  shape.tag_values = 10;
  return shape;
}

Json lstm(std::mt19937_64& random, const NetworkBlocks& blocks, const TrainingWeights& weights) {
  const NetworkBlocks::Lstm& layer = blocks.layers.front();
  Sequences sequences;
  const std::vector<std::size_t> lengths = {6, 4, 4, 1};
  for (const std::size_t length : lengths) sequences.add(length);
  const Numbers input = testing::normal_numbers(random, sequences.rows() * layer.input.rows);
  const ConstMatrix inputs(input.data(), sequences.rows(), layer.input.rows);
  const std::size_t hidden = layer.recurrent[0].rows;
  Numbers output(sequences.rows() * 2 * hidden);
  const Matrix outputs(output.data(), sequences.rows(), 2 * hidden);
  Lstm().forward(sequences, inputs, weights.layers[0], outputs);
  return {{"lengths", lengths},
          {"input", rows_of(inputs)},
          {"input_weights", rows_of(layer.input.in(weights.all()))},
          {"bias", rows_of(layer.bias.in(weights.all()))[0]},
          {"recurrent",
           {rows_of(layer.recurrent[0].in(weights.all())), rows_of(layer.recurrent[1].in(weights.all()))}},
          {"output", rows_of(outputs)}};
}

Json arcs(const NetworkShape& shape, const NetworkBlocks& blocks, const TrainingWeights& weights,
          ConstMatrix roles) {
  const RoleColumns columns(shape);
  ArcBiaffine layer(shape);
  layer.prepare(roles, weights);
  Numbers scores(roles.rows * roles.rows);
  const Matrix all(scores.data(), roles.rows, roles.rows);
  layer.score({0, roles.rows}, all);
  return {{"heads", rows_of(columns_of(roles, columns.arc_head))},
          {"modifiers", rows_of(columns_of(roles, columns.arc_modifier))},
          {"weights", rows_of(blocks.arcs.in(weights.all()))},
          {"scores", rows_of(all)}};
}

Json labels(const NetworkShape& shape, const NetworkBlocks& blocks, const TrainingWeights& weights,
            ConstMatrix roles) {
  const RoleColumns columns(shape);
  const std::vector<RowArc> some = {{0, 1}, {1, 2}, {5, 3}, {2, 4}, {2, 5}};
  Numbers scores(some.size() * shape.labels);
  const Matrix all(scores.data(), some.size(), shape.labels);
  LabelBiaffine(shape).score(roles, weights, some, all);
  Json pairs = Json::array();
  for (const RowArc& arc : some) pairs.push_back({arc.head, arc.modifier});
  return {{"arcs", pairs},
          {"heads", rows_of(columns_of(roles, columns.label_head))},
          {"modifiers", rows_of(columns_of(roles, columns.label_modifier))},
          {"weights", rows_of(blocks.labels.in(weights.all()))},
          {"scores", rows_of(all)}};
}

Json tags(const NetworkShape& shape, const NetworkBlocks& blocks, const TrainingWeights& weights,
          ConstMatrix roles) {
  TagClassifier layer(shape);
  return {{"words", rows_of(columns_of(roles, RoleColumns(shape).tags))},
          {"weights", rows_of(blocks.tags.weights.in(weights.all()))},
          {"bias", rows_of(blocks.tags.bias.in(weights.all()))[0]},
          {"scores", rows_of(layer.score(roles, weights))}};
}

template <PartKind kKind>
Json parts(const NetworkShape& shape, const NetworkBlocks& blocks, const Numbers& weights, ConstMatrix roles,
           const PartIndex& index, const Potentials& potentials) {
  const RoleColumns::Part& columns = RoleColumns(shape).part(kKind);
  Json words = Json::array();
  for_each_part<kKind>(index, [&](const PartWords& part) {
    Json own = {{"head", part.head}, {"modifier", part.modifier}};
    if (has_grandparent(kKind)) own["grandparent"] = part.head == 0 ? Json() : Json(part.grandparent);
    if (has_sibling(kKind)) own["sibling"] = part.sibling == part.head ? Json() : Json(part.sibling);
    if (has_second_sibling(kKind) && part.sibling != part.head) {
      own["second_sibling"] = part.second_sibling == part.head ? Json() : Json(part.second_sibling);
    }
    words.push_back(std::move(own));
  });
  const NetworkBlocks::Part& block = blocks.part(kKind);
  Json result = {{"parts", words},
                 {"potentials", potentials[kKind]},
                 {"head", rows_of(columns_of(roles, columns.head))},
                 {"modifier", rows_of(columns_of(roles, columns.modifier))},
                 {"weights", rows_of(block.weights.in(weights))[0]}};
  if (has_grandparent(kKind)) {
    result["grandparent"] = rows_of(columns_of(roles, columns.grandparent));
    result["no_grandparent"] = rows_of(block.no_grandparent.in(weights))[0];
  }
  if (has_sibling(kKind)) {
    result["sibling"] = rows_of(columns_of(roles, columns.sibling));
    result["no_sibling"] = rows_of(block.no_sibling.in(weights))[0];
  }
  if (has_second_sibling(kKind)) {
    result["second_sibling"] = rows_of(columns_of(roles, columns.second_sibling));
    result["no_second_sibling"] = rows_of(block.no_second_sibling.in(weights))[0];
  }
  return result;
}

// All kinds of parts but arcs of a factorization, by name.
template <Factorization kFactorization>
Json larger_parts(std::mt19937_64& random) {
  const NetworkShape shape = make_shape(kFactorization);
  const NetworkBlocks blocks(shape);
  const Numbers weights = testing::normal_numbers(random, blocks.size, 0.5F);
  const int words = 6;
  const Numbers numbers = testing::normal_numbers(random, (words + 1) * blocks.roles.weights.columns);
  const ConstMatrix roles(numbers.data(), words + 1, blocks.roles.weights.columns);
  ArcSet set;
  set.assign_all(words);
  PartIndex index;
  index.assign(set, kFactorization);
  Potentials potentials;
  potentials.assign(index);
  LowRankParts(shape).score(roles, weights, index, potentials);
  Json result = Json::object();
  const auto add = [&]<PartKind kKind>() {
    if constexpr (kKind != PartKind::arc && contains(kFactorization, kKind)) {
      result[std::string(name(kKind))] = parts<kKind>(shape, blocks, weights, roles, index, potentials);
    }
  };
  const auto add_all = [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
    (add.template operator()<kAllPartKinds[kKinds]>(), ...);
  };
  add_all(std::make_index_sequence<kPartKinds>());
  return result;
}

Json all_layers(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const NetworkShape shape = make_shape(Factorization::first);
  const NetworkBlocks blocks(shape);
  const Numbers weights = testing::normal_numbers(random, blocks.size, 0.5F);
  TrainingWeights training_weights(blocks);
  training_weights.assign(weights);
  const int words = 6;
  const std::size_t rows = words + 1;
  const Numbers numbers = testing::normal_numbers(random, rows * blocks.roles.weights.columns);
  const ConstMatrix roles(numbers.data(), rows, blocks.roles.weights.columns);
  return {{"seed", seed},
          {"lstm", lstm(random, blocks, training_weights)},
          {"arcs", arcs(shape, blocks, training_weights, roles)},
          {"labels", labels(shape, blocks, training_weights, roles)},
          {"tags", tags(shape, blocks, training_weights, roles)},
          {"parts",
           {larger_parts<Factorization::grandtrisibling>(random),
            larger_parts<Factorization::outermost>(random)}}};
}

}  // namespace
}  // namespace copse

int main() {
  std::puts(copse::all_layers(20261116).dump().c_str());
  return 0;
}
