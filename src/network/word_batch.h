#pragma once

#include "network/distinct_spellings.h"
#include "network/network_shape.h"
#include "network/sequences.h"
#include "network/word_inputs.h"

namespace copse {

// What a network reads of a batch of words, where the back end does its arithmetic.
template <class BackEnd>
struct WordBatch {
  // On processors, inputs and sequences are borrowed.
  void assign(BackEnd& on, const NetworkShape& shape, const WordInputs& inputs,
              const copse::Sequences& word_sequences) {
    rows = inputs.rows();
    on.upload(word_sequences, sequences);
    on.upload(inputs.words, words);
    if (shape.vector_size > 0) on.upload(inputs.vectors, vectors);
    if (shape.upos > 0) on.upload(inputs.upos, upos);
    if (shape.xpos > 0) on.upload(inputs.xpos, xpos);
    if (shape.features > 0) on.upload(inputs.feature_begins, inputs.features, features);
    if (shape.reads_affixes()) on.upload(inputs.affixes, affixes);
    if (!shape.reads_characters()) return;
    spellings.assign(inputs);
    on.upload(spellings.sequences(), spelling_sequences);
    on.upload(spellings.characters(), characters);
    on.upload(spellings.of_rows(), spelling_of_row);
    if constexpr (BackEnd::kLearns) on.upload(spellings.row_begins(), spellings.rows(), rows_of_spelling);
  }

  std::size_t rows = 0;
  typename BackEnd::Sequences sequences;  // sentences
  typename BackEnd::Numbers words, affixes, upos, xpos;
  typename BackEnd::SignedNumbers vectors;  // below 0: none
  typename BackEnd::Lists features;         // by row
  // Words that are read by their characters, each spelling once.
  DistinctSpellings spellings;
  typename BackEnd::Sequences spelling_sequences;
  typename BackEnd::Numbers characters;
  typename BackEnd::Numbers spelling_of_row;
  typename BackEnd::Lists rows_of_spelling;
};

}  // namespace copse
