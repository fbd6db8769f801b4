#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/matrix_product.h"
#include "network/network_shape.h"

namespace copse {

// A matrix among the weights of a network, which all lie in one array.
struct Block {
  std::string name;  // as in files
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t offset = 0;
  std::size_t table = 0;  // its place in NetworkBlocks::tables(), if it is one of them

  std::size_t size() const { return rows * columns; }
  ConstMatrix in(std::span<const float> weights) const { return {weights.data() + offset, rows, columns}; }
  Matrix in(std::span<float> weights) const { return {weights.data() + offset, rows, columns}; }
};

// Where the weights of a network lie. First those that every sentence uses, then the tables, of which a
// sentence uses a few rows.
struct NetworkBlocks {
  explicit NetworkBlocks(const NetworkShape& shape);

  // How the input is made.
  Block vector_weights, vector_bias;
  Block spelling_weights, spelling_bias;  // affixes to spelling
  struct Lstm {
    Block input;  // [input][8 × hidden]: gates i, f, g, o of the forward direction, then of the other
    Block bias;
    Block recurrent[2];  // [hidden][4 × hidden]
  };
  std::vector<Lstm> characters;  // one, if words are read by them
  std::vector<Lstm> layers;
  Block roles, role_bias;
  Block arcs;    // [arc_size + 1][arc_size]: modifier and 1, head
  Block labels;  // [label_size + 1][labels × (label_size + 1)]: modifier and 1, head and 1
  Block tags, tag_bias;
  // By kind of part; without rows where the factorization has no such kind, and of arcs. Where there is no
  // sibling, there is no second one either: no_sibling stands for both. It could not be told from a product
  // of two such rows.
  struct Part {
    Block weights;            // [1][rank]: how much each product counts
    Block no_sibling;         // [1][rank]: stands for the siblings of innermost modifiers
    Block no_second_sibling;  // [1][rank]: stands for the second sibling where the sibling is innermost
    Block no_grandparent;     // [1][rank]: stands for the head of the root

    // All of them, in the order of the array; some may be empty.
    std::array<const Block*, 4> blocks() const {
      return {&weights, &no_sibling, &no_second_sibling, &no_grandparent};
    }
  };
  std::array<Part, kPartKinds> parts;
  const Part& part(PartKind kind) const { return parts[static_cast<std::size_t>(kind)]; }

  // Of networks that guess hidden words: the encoder's output to the size of a word's vector, the gain and
  // shift of its normalisation, and a bias for every word. The scores are products with the table of words,
  // which therefore every sentence uses: it stands before the tables that are used in part.
  struct Guess {
    Block weights, bias;
    Block gain, shift;
    Block word_bias;
  };
  Guess guess;

  std::size_t dense = 0;  // weights before the tables

  Block words, affixes, character_table, upos, xpos, features;

  std::size_t size = 0;

  // All that are not empty, in the order of the array.
  std::vector<const Block*> all() const;
  std::vector<const Block*> tables() const;
  bool is_table(const Block& block) const { return block.size() > 0 && block.offset >= dense; }

 private:
  Block add(std::string name, std::size_t rows, std::size_t columns);
  void add_outputs(const NetworkShape& shape, std::size_t input);
};

// Random weights to begin with.
std::vector<float> initial_weights(const NetworkShape& shape, std::uint64_t seed);

}  // namespace copse
