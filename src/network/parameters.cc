#include "network/parameters.h"

#include <fmt/format.h>

#include <cmath>

#include "network/random.h"

namespace copse {

Block NetworkBlocks::add(std::string name, std::size_t rows, std::size_t columns) {
  Block block{std::move(name), rows, columns, size, 0};
  size += block.size();
  return block;
}

NetworkBlocks::NetworkBlocks(const NetworkShape& shape) {
  const auto add_lstm = [&](const std::string& name, std::size_t input, std::size_t hidden) {
    Lstm layer;
    layer.input = add(name + "/input", input, 8 * hidden);
    layer.bias = add(name + "/bias", 1, 8 * hidden);
    layer.recurrent[0] = add(name + "/forward", hidden, 4 * hidden);
    layer.recurrent[1] = add(name + "/backward", hidden, 4 * hidden);
    return layer;
  };
  if (shape.vector_size > 0) {
    vector_weights = add("vectors/weights", shape.vector_size, shape.word_size);
    vector_bias = add("vectors/bias", 1, shape.word_size);
  }
  if (shape.spelling == Spelling::affixes) {
    spelling_weights = add("affixes/weights", kAffixes * shape.affix_size, shape.spelling_size);
    spelling_bias = add("affixes/bias", 1, shape.spelling_size);
  } else {
    characters.push_back(add_lstm("spelling", shape.character_size, shape.spelling_size / 2));
  }
  std::size_t input = shape.input_size();
  for (std::size_t k = 0; k < shape.layers; ++k) {
    layers.push_back(add_lstm(fmt::format("layer{}", k + 1), input, shape.hidden));
    input = shape.encoder_size();
  }
  if (shape.guesses_words) {
    guess.weights = add("guess/weights", input, shape.word_size);
    guess.bias = add("guess/bias", 1, shape.word_size);
    guess.gain = add("guess/gain", 1, shape.word_size);
    guess.shift = add("guess/shift", 1, shape.word_size);
    guess.word_bias = add("guess/words", 1, shape.words);
    words = add("table/words", shape.words, shape.word_size);
  } else {
    add_outputs(shape, input);
  }
  dense = size;
  if (!shape.guesses_words) words = add("table/words", shape.words, shape.word_size);
  if (shape.spelling == Spelling::affixes) {
    affixes = add("table/affixes", kAffixes * shape.affix_rows, shape.affix_size);
  } else {
    character_table = add("table/characters", shape.characters, shape.character_size);
  }
  if (shape.upos > 0) upos = add("table/upos", shape.upos, shape.tag_size);
  if (shape.xpos > 0) xpos = add("table/xpos", shape.xpos, shape.tag_size);
  if (shape.features > 0) features = add("table/features", shape.features, shape.tag_size);
  std::size_t number = 0;
  for (Block* block : {&words, &affixes, &character_table, &upos, &xpos, &features}) {
    if (is_table(*block)) block->table = number++;
  }
}

void NetworkBlocks::add_outputs(const NetworkShape& shape, std::size_t input) {
  const RoleColumns columns(shape);
  roles = add("roles/weights", input, columns.size);
  role_bias = add("roles/bias", 1, columns.size);
  arcs = add("arcs", shape.arc_size + 1, shape.arc_size);
  if (shape.labels > 0) {
    labels = add("labels", shape.label_size + 1, shape.labels * (shape.label_size + 1));
  }
  if (shape.tag_values > 0) {
    tags = add("tags/weights", shape.tag_hidden, shape.tag_values);
    tag_bias = add("tags/bias", 1, shape.tag_values);
  }
  for (const PartKind kind : part_kinds(shape.factorization)) {
    if (kind == PartKind::arc) continue;
    Part& part = parts[static_cast<std::size_t>(kind)];
    const std::string name = fmt::format("parts/{}", copse::name(kind));
    part.weights = add(name + "/weights", 1, shape.rank);
    if (has_sibling(kind)) part.no_sibling = add(name + "/innermost", 1, shape.rank);
    if (has_second_sibling(kind)) part.no_second_sibling = add(name + "/second", 1, shape.rank);
    if (has_grandparent(kind)) part.no_grandparent = add(name + "/top", 1, shape.rank);
  }
}

std::vector<const Block*> NetworkBlocks::all() const {
  std::vector<const Block*> blocks;
  const auto add = [&blocks](const std::vector<const Block*>& some) {
    for (const Block* block : some) {
      if (block->size() > 0) blocks.push_back(block);
    }
  };
  const auto add_lstm = [&](const Lstm& layer) {
    add({&layer.input, &layer.bias, &layer.recurrent[0], &layer.recurrent[1]});
  };
  add({&vector_weights, &vector_bias, &spelling_weights, &spelling_bias});
  for (const Lstm& layer : characters) add_lstm(layer);
  for (const Lstm& layer : layers) add_lstm(layer);
  add({&roles, &role_bias, &arcs, &labels, &tags, &tag_bias});
  for (const Part& part : parts) {
    const auto own = part.blocks();
    add({own.begin(), own.end()});
  }
  add({&guess.weights, &guess.bias, &guess.gain, &guess.shift, &guess.word_bias});
  if (guess.weights.size() > 0) add({&words});
  for (const Block* table : tables()) add({table});
  return blocks;
}

std::vector<const Block*> NetworkBlocks::tables() const {
  std::vector<const Block*> blocks;
  for (const Block* block : {&words, &affixes, &character_table, &upos, &xpos, &features}) {
    if (is_table(*block)) blocks.push_back(block);
  }
  return blocks;
}

std::vector<float> initial_weights(const NetworkShape& shape, std::uint64_t seed) {
  const NetworkBlocks blocks(shape);
  std::vector<float> weights(blocks.size);
  Random random(seed);
  const auto uniform = [&](const Block& block, std::size_t fan) {
    const float bound = 1.0F / std::sqrt(static_cast<float>(fan));
    for (std::size_t k = 0; k < block.size(); ++k) {
      weights[block.offset + k] = bound * (2.0F * random.uniform() - 1.0F);
    }
  };
  const auto normal = [&](const Block& block, float deviation) {
    for (std::size_t k = 0; k < block.size(); ++k) weights[block.offset + k] = deviation * random.normal();
  };
  const auto lstm = [&](const NetworkBlocks::Lstm& layer) {
    for (const Block* block : {&layer.input, &layer.bias, &layer.recurrent[0], &layer.recurrent[1]}) {
      uniform(*block, layer.recurrent[0].rows);
    }
  };
  uniform(blocks.vector_weights, shape.vector_size);
  uniform(blocks.vector_bias, shape.vector_size);
  uniform(blocks.spelling_weights, blocks.spelling_weights.rows);
  uniform(blocks.spelling_bias, blocks.spelling_weights.rows);
  for (const auto& layer : blocks.characters) lstm(layer);
  for (const auto& layer : blocks.layers) lstm(layer);
  uniform(blocks.roles, blocks.roles.rows);
  uniform(blocks.role_bias, blocks.roles.rows);
  // Arcs and labels begin with zeros, and so do the weights of larger parts: at first all trees are equal,
  // and the network learns the simple things first.
  uniform(blocks.tags, shape.tag_hidden);
  for (const NetworkBlocks::Part& part : blocks.parts) {
    normal(part.no_sibling, 0.3F);
    normal(part.no_second_sibling, 0.3F);
    normal(part.no_grandparent, 0.3F);
  }
  uniform(blocks.guess.weights, blocks.guess.weights.rows);
  uniform(blocks.guess.bias, blocks.guess.weights.rows);
  for (std::size_t k = 0; k < blocks.guess.gain.size(); ++k) weights[blocks.guess.gain.offset + k] = 1.0F;
  normal(blocks.words, 0.1F);
  normal(blocks.affixes, 1.0F);
  normal(blocks.character_table, 1.0F);
  normal(blocks.upos, 1.0F);
  normal(blocks.xpos, 1.0F);
  normal(blocks.features, 1.0F);
  return weights;
}

}  // namespace copse
