#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/known_lemmas.h"
#include "network/network_shape.h"
#include "network/vocabulary.h"
#include "network/word_inputs.h"
#include "vectors/word_vectors.h"

namespace copse {

// A column that a network predicts. Lemmas are predicted as rules that make them of forms.
struct TagColumn {
  Row::Column column = Row::kUpos;
  Vocabulary values;
  Columns place;  // among the values of all columns

  // What the value of this column is made of: the text of the column, or of the rule.
  static std::string value_of(const Token& word, Row::Column column);
};

// What stands in a column that can be predicted.
std::string_view text_of(const Token& word, Row::Column column);
// The column as CoNLL-U calls it.
std::string_view name_of(Row::Column column);

// All that a network is besides its weights.
struct NetworkDescription {
  NetworkShape shape;
  InputVocabularies inputs;
  std::vector<std::string> labels;
  std::vector<TagColumn> tags;
  KnownLemmas lemmas;
  std::optional<WordVectors> vectors;

  // Sections "network/..." without the weights. The writer borrows the vectors until it is closed. Loading
  // throws DataError for sections that are missing, damaged, of a newer version or do not fit each other.
  void add_to(SectionFileWriter& file) const;
  static NetworkDescription from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);

  const WordVectors* vectors_or_null() const { return vectors ? &*vectors : nullptr; }
};

}  // namespace copse
