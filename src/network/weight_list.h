// Which weights a network has: said here, and nowhere else. Where they lie, how they begin, what training and
// parsing make of them, files: all visit this list.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "network/weight_set.h"

namespace copse {

// A row of the list.
struct WeightRow {
  // What the names of blocks and of sections in files begin with.
  std::string name;
  std::size_t rows = 0;     // of a matrix or table; of an LSTM: its inputs
  std::size_t columns = 0;  // of an LSTM: the units of each direction
  Beginning weights = {};
  Beginning bias = {};  // of affine maps
  FromEncoder from_encoder = FromEncoder::nothing;
  // Whether products with it are many enough in training to be worth another order in memory.
  bool is_packed = true;
  // Of tables: every sentence uses all rows.
  bool is_dense = false;
};

// Calls visit.affine(), lstm(), bilinear(), vector() and table() with a row of the list and what the sets
// have there, for all that a network of this shape has: those of which sentences use a few rows come last.
// The order is that in memory, in files, and in which random numbers are drawn for them. vector() has the
// last part of its name apart.
template <class Visitor, class... Sets>
void visit_weights(const NetworkShape& shape, Visitor&& visit, Sets&... sets) {
  const auto uniform = [](std::size_t inputs) { return Beginning::uniform(inputs); };
  if (shape.vector_size > 0) {
    visit.affine(WeightRow{.name = "vectors",
                           .rows = shape.vector_size,
                           .columns = shape.word_size,
                           .weights = uniform(shape.vector_size),
                           .bias = uniform(shape.vector_size),
                           .from_encoder = FromEncoder::words,
                           .is_packed = false},
                 sets.vectors...);
  }
  if (shape.reads_affixes()) {
    const std::size_t inputs = shape.affix_kinds() * shape.affix_size;
    visit.affine(WeightRow{.name = "affixes",
                           .rows = inputs,
                           .columns = shape.spelling_size,
                           .weights = uniform(inputs),
                           .bias = uniform(inputs),
                           .from_encoder = FromEncoder::same,
                           .is_packed = false},
                 sets.affixes...);
  }
  if (shape.reads_characters()) {
    const std::size_t hidden = shape.spelling_size / 2;
    visit.lstm(WeightRow{.name = "spelling",
                         .rows = shape.character_size,
                         .columns = hidden,
                         .weights = uniform(hidden),
                         .from_encoder = FromEncoder::same},
               sets.characters...);
  }
  std::size_t width = shape.input_size();
  for (std::size_t k = 0; k < shape.layers; ++k) {
    visit.lstm(WeightRow{.name = fmt::format("layer{}", k + 1),
                         .rows = width,
                         .columns = shape.hidden,
                         .weights = uniform(shape.hidden),
                         .from_encoder = FromEncoder::same},
               sets.layers[k]...);
    width = shape.encoder_size();
  }
  if (shape.guesses_words) {
    const WeightRow guess{.name = "guess",
                          .rows = width,
                          .columns = shape.word_size,
                          .weights = uniform(width),
                          .bias = uniform(width)};
    visit.affine(guess, sets.guess.affine...);
    visit.vector(WeightRow{.name = guess.name, .columns = shape.word_size, .weights = Beginning::ones()},
                 "gain", sets.guess.gain...);
    visit.vector(WeightRow{.name = guess.name, .columns = shape.word_size}, "shift", sets.guess.shift...);
    visit.vector(WeightRow{.name = guess.name, .columns = shape.words}, "words", sets.guess.word_bias...);
  } else {
    const RoleColumns columns(shape);
    visit.affine(WeightRow{.name = "roles",
                           .rows = width,
                           .columns = columns.size,
                           .weights = uniform(width),
                           .bias = uniform(width)},
                 sets.roles...);
    if (shape.has_tag_input()) {
      visit.affine(WeightRow{.name = "tag-input",
                             .rows = shape.input_size(),
                             .columns = shape.tag_hidden,
                             .weights = uniform(shape.input_size())},
                   sets.tag_input...);
    }
    // Arcs and labels begin with zeros, and so do the weights of larger parts: at first all trees are equal,
    // and the network learns the simple things first.
    visit.bilinear(WeightRow{.name = "arcs", .rows = shape.arc_size + 1, .columns = shape.arc_size},
                   sets.arcs...);
    if (shape.labels > 0) {
      const std::size_t size = shape.label_size + 1;
      visit.bilinear(WeightRow{.name = "labels", .rows = size, .columns = shape.labels * size},
                     sets.labels...);
    }
    if (shape.tag_values > 0) {
      visit.affine(WeightRow{.name = "tags",
                             .rows = shape.tag_hidden,
                             .columns = shape.tag_values,
                             .weights = uniform(shape.tag_hidden)},
                   sets.tags...);
    }
    for (const PartKind kind : part_kinds(shape.factorization)) {
      if (kind == PartKind::arc) continue;
      const auto number = static_cast<std::size_t>(kind);
      const WeightRow weights{.name = fmt::format("parts/{}", copse::name(kind)), .columns = shape.rank};
      WeightRow nobody = weights;
      nobody.weights = Beginning::normal(0.3F);
      visit.vector(weights, "weights", sets.parts[number].weights...);
      if (has_sibling(kind)) visit.vector(nobody, "innermost", sets.parts[number].no_sibling...);
      if (has_second_sibling(kind)) visit.vector(nobody, "second", sets.parts[number].no_second_sibling...);
      if (has_grandparent(kind)) visit.vector(nobody, "top", sets.parts[number].no_grandparent...);
    }
  }
  // The scores of hidden words are products with the table of words, of which every sentence uses all then.
  if (shape.words > 0) {
    visit.table(WeightRow{.name = "table/words",
                          .rows = shape.words,
                          .columns = shape.word_size,
                          .weights = Beginning::normal(0.1F),
                          .from_encoder = FromEncoder::words,
                          .is_packed = shape.guesses_words,
                          .is_dense = shape.guesses_words},
                sets.word_table...);
  }
  const auto table = [&](const char* name, std::size_t rows, std::size_t columns, FromEncoder from,
                         auto&... own) {
    if (rows == 0) return;
    visit.table(WeightRow{.name = name,
                          .rows = rows,
                          .columns = columns,
                          .weights = Beginning::normal(1.0F),
                          .from_encoder = from,
                          .is_packed = false},
                own...);
  };
  const FromEncoder nothing = FromEncoder::nothing;
  if (shape.reads_affixes()) {
    table("table/affixes", shape.affix_kinds() * shape.affix_rows, shape.affix_size, FromEncoder::same,
          sets.affix_table...);
  }
  if (shape.reads_characters()) {
    table("table/characters", shape.characters, shape.character_size, FromEncoder::same,
          sets.character_table...);
  }
  table("table/upos", shape.upos, shape.tag_size, nothing, sets.upos_table...);
  table("table/xpos", shape.xpos, shape.tag_size, nothing, sets.xpos_table...);
  table("table/features", shape.features, shape.tag_size, nothing, sets.feature_table...);
}

}  // namespace copse
