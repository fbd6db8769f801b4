#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "network/network_shape.h"

namespace copse {

// How weights begin.
struct Beginning {
  enum class With { zeros, ones, uniform, normal };
  With with = With::zeros;
  float scale = 0.0F;  // uniform: within ± 1 / √scale; normal: the deviation

  static Beginning ones() { return {With::ones, 0.0F}; }
  static Beginning uniform(std::size_t inputs) { return {With::uniform, static_cast<float>(inputs)}; }
  static Beginning normal(float deviation) { return {With::normal, deviation}; }
};

// What a parser that begins with a pre-trained encoder has of it.
enum class FromEncoder {
  nothing,
  same,   // the encoder has the same weights
  words,  // made of the vectors of its words
};

// All weights of a network in some form, such as places in an array or matrices in 8 bits. What a network
// does not have is empty.
template <class Form>
struct WeightSet {
  using Affine = typename Form::Affine;      // a matrix, and what is added to the rows of products with it
  using Lstm = typename Form::Lstm;          // in both directions
  using Bilinear = typename Form::Bilinear;  // a matrix whose last row belongs to a 1 beside the modifier
  using Vector = typename Form::Vector;
  using Table = typename Form::Table;  // rows that are looked up

  explicit WeightSet(const NetworkShape& shape) : layers(shape.layers) {}

  // How the input is made.
  Affine vectors;
  Affine affixes;
  Lstm characters;
  std::vector<Lstm> layers;
  Affine roles;
  Affine tag_input;  // from the input of a word to its role for tags
  Bilinear arcs;     // [arc_size + 1][arc_size]: modifier and 1, head
  Bilinear labels;   // [label_size + 1][labels × (label_size + 1)]: modifier and 1, head and 1
  Affine tags;
  // By kind of part; empty where the factorization has no such kind, and of arcs. Where there is no sibling,
  // there is no second one either: no_sibling stands for both. It could not be told from a product of two
  // such rows.
  struct Part {
    Vector weights;            // [rank]: how much each product counts
    Vector no_sibling;         // [rank]: stands for the siblings of innermost modifiers
    Vector no_second_sibling;  // [rank]: stands for the second sibling where the sibling is innermost
    Vector no_grandparent;     // [rank]: stands for the head of the root

    // All of them, in their order; some may be empty.
    std::array<const Vector*, 4> blocks() const {
      return {&weights, &no_sibling, &no_second_sibling, &no_grandparent};
    }
  };
  std::array<Part, kPartKinds> parts;
  const Part& part(PartKind kind) const { return parts[static_cast<std::size_t>(kind)]; }
  // Of networks that guess hidden words: the encoder's output to the size of a word's vector, the gain and
  // shift of its normalisation, and a bias for every word. The scores are products with the table of words.
  struct Guess {
    Affine affine;
    Vector gain, shift;
    Vector word_bias;
  };
  Guess guess;
  Table word_table, affix_table, character_table, upos_table, xpos_table, feature_table;
};

}  // namespace copse
