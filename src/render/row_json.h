#pragma once

#include <string_view>

#include "copse/treebank/sentence.h"
#include "text/value_writer.h"

namespace copse {

// Members of the JSON objects that stand for sentences, in the order in which they are written. A column
// without a value, "_", is null.

void write_column(std::string_view name, std::string_view value, ValueWriter& json);

// form, lemma, upos, xpos, feats, head, deprel, deps and misc; the head of a word as a number.
void write_row(const Token& word, ValueWriter& json);
void write_row(const Row& row, ValueWriter& json);

// sent_id and text.
void write_names(const Sentence& sentence, ValueWriter& json);
// comments: whole lines.
void write_comment_lines(const Sentence& sentence, ValueWriter& json);
// empty_nodes, with word, index and columns.
void write_empty_nodes(const Sentence& sentence, ValueWriter& json);

}  // namespace copse
