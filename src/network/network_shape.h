#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "copse/inference/factorization.h"

namespace copse {

// How a word is read beside its form as a whole.
enum class Spelling : std::uint8_t {
  affixes,     // some prefixes, suffixes and the shape, by hash
  characters,  // a recurrent layer over its characters
  both,        // more affixes, and a recurrent layer over its letters (for_each_letter())
};

// Kinds of affixes that are read; beside characters, the shortest ones, too.
inline constexpr std::size_t kAffixes = 6;
inline constexpr std::size_t kMostAffixes = 8;

// The sizes of a network, and what it consists of.
struct NetworkShape {
  // Input.
  std::size_t words = 0;        // in the vocabulary, unknown ones and the root included
  std::size_t word_size = 100;  // numbers for each
  std::size_t vector_size = 0;  // of given word vectors; 0: none
  Spelling spelling = Spelling::affixes;
  std::size_t affix_rows = 4096;  // for each kind of affix
  std::size_t affix_size = 32;
  std::size_t characters = 0;  // in the vocabulary
  std::size_t character_size = 50;
  std::size_t spelling_size = 100;  // what becomes of affixes, and of characters
  std::size_t upos = 0;             // values of tags at the input; 0: not read
  std::size_t xpos = 0;
  std::size_t features = 0;  // of FEATS, each by itself
  std::size_t tag_size = 50;

  // Encoder: layers of LSTMs in both directions.
  std::size_t layers = 2;
  std::size_t hidden = 256;  // of each direction

  // Output.
  Factorization factorization = Factorization::grandsibling;
  std::size_t arc_size = 256;
  std::size_t label_size = 64;
  std::size_t labels = 0;
  std::size_t rank = 64;  // of the products that score larger parts
  std::size_t tag_hidden = 128;
  std::size_t tag_values = 0;  // of all columns that are predicted
  // Whether tags see the input of a word, too, and not only what the encoder makes of it.
  bool tags_read_input = false;

  // Instead of all that: an encoder that is learnt on plain text by guessing hidden words, all words of its
  // vocabulary being possible. Such a network gives no potentials.
  bool guesses_words = false;

  bool has_tag_input() const { return tags_read_input && tag_values > 0; }
  bool reads_affixes() const { return spelling != Spelling::characters; }
  bool reads_characters() const { return spelling != Spelling::affixes; }
  std::size_t affix_kinds() const {
    if (!reads_affixes()) return 0;
    return spelling == Spelling::both ? kMostAffixes : kAffixes;
  }
  // Of spellings at the input: what becomes of affixes, then what becomes of characters.
  std::size_t spellings_size() const {
    return spelling_size * ((reads_affixes() ? 1U : 0U) + (reads_characters() ? 1U : 0U));
  }
  // Of the tags at the input, all columns together.
  std::size_t tags_size() const {
    return tag_size * ((upos > 0 ? 1U : 0U) + (xpos > 0 ? 1U : 0U) + (features > 0 ? 1U : 0U));
  }
  std::size_t input_size() const { return word_size + spellings_size() + tags_size(); }
  std::size_t encoder_size() const { return 2 * hidden; }
  bool has_kind(PartKind kind) const { return contains(factorization, kind); }
};

// A range of columns of a matrix.
struct Columns {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t end() const { return begin + size; }
};

// What the encoder's output is turned into, for all scores at once: words in their roles. Each role is a
// range of columns.
struct RoleColumns {
  explicit RoleColumns(const NetworkShape& shape);

  Columns arc_head, arc_modifier;
  Columns label_head, label_modifier;
  // By kind of part: empty where the factorization has no such kind, or the kind no such word, and of arcs,
  // which have roles of their own.
  struct Part {
    Columns grandparent, head, second_sibling, sibling, modifier;
  };
  std::array<Part, kPartKinds> parts;
  Columns tags;
  std::size_t size = 0;

  const Part& part(PartKind kind) const { return parts[static_cast<std::size_t>(kind)]; }
};

}  // namespace copse
