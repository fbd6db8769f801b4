#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "network/network_shape.h"
#include "network/vocabulary.h"
#include "vectors/word_vectors.h"

namespace copse {

// What a network reads of words, in numbers: one row for each word, and one for the root before each
// sentence.
struct WordInputs {
  std::vector<std::uint32_t> words;
  std::vector<std::int32_t> vectors;            // below 0: none
  std::vector<std::uint32_t> affixes;           // as many for each row as the network has kinds
  std::vector<std::uint32_t> character_begins;  // one for each row, and the end
  std::vector<std::uint32_t> characters;
  std::vector<std::uint32_t> upos;
  std::vector<std::uint32_t> xpos;
  std::vector<std::uint32_t> feature_begins;  // one for each row, and the end
  std::vector<std::uint32_t> features;

  std::size_t rows() const { return words.size(); }
  void clear();
  // Rows of other inputs, which were read for the same network.
  void append(const WordInputs& from, std::size_t begin, std::size_t count);
};

// The texts that the numbers of inputs stand for.
struct InputVocabularies {
  Vocabulary words;       // in lower case
  Vocabulary characters;  // if words are read by these
  Vocabulary upos;        // tags are not read where these are empty
  Vocabulary xpos;
  Vocabulary features;

  void add_to(SectionFileWriter& file) const;
  static InputVocabularies from_file(const SectionFile& file);
};

// What to count when vocabularies are made.
struct InputChoice {
  Spelling spelling = Spelling::affixes;
  bool reads_tags = false;
};
// Words that come once are unknown: what is learnt of them serves all others that are.
InputVocabularies count_inputs(std::span<const Sentence* const> sentences, const InputChoice& choice);
// Sets the sizes of vocabularies in the shape.
void set_input_sizes(const InputVocabularies& vocabularies, NetworkShape& shape);

// The rows of a word's prefixes, suffixes and shape (the first kinds, as many as there is room for) in tables
// of `rows` rows for each kind; `lower` is the form in lower case. Row 0 of each kind is the root's.
void find_affixes(std::string_view form, std::string_view lower, std::size_t rows,
                  std::span<std::uint32_t> affixes);
inline std::uint32_t root_affix(std::size_t kind, std::size_t rows) {
  return static_cast<std::uint32_t>(kind * rows);
}

// Turns sentences into numbers. A workspace for one thread.
class InputReader {
 public:
  // Borrows all of them. No vectors: null.
  InputReader(const InputVocabularies& vocabularies, const WordVectors* vectors, const NetworkShape& shape)
      : vocabularies_(&vocabularies), vectors_(vectors), shape_(&shape) {}

  // Appends the rows of a sentence.
  void append(const Sentence& sentence, WordInputs& inputs);

 private:
  void append_root(WordInputs& inputs) const;
  void append_affixes(std::string_view form, WordInputs& inputs) const;
  void append_characters(std::string_view form, WordInputs& inputs) const;
  void append_tags(const Token& word, WordInputs& inputs) const;

  const InputVocabularies* vocabularies_;
  const WordVectors* vectors_;
  const NetworkShape* shape_;
  std::string lower_;
};

}  // namespace copse
