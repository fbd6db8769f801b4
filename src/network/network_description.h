#pragma once

#include <optional>
#include <string>
#include <vector>

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

// The column as CoNLL-U calls it.
std::string_view name_of(Row::Column column);

// All that a network is besides its weights.
struct NetworkDescription {
  NetworkShape shape;
  InputVocabularies inputs;
  std::vector<std::string> labels;
  std::vector<TagColumn> tags;
  std::optional<WordVectors> vectors;

  const WordVectors* vectors_or_null() const { return vectors ? &*vectors : nullptr; }
};

}  // namespace copse
