#pragma once

#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// Writes KEY=0.9321 into the MISC column: replaces the entry of that key, or adds one.
void set_misc_probability(Token& word, std::string_view key, double probability);

// Takes the entry of that key away, if there is one.
void remove_misc_probability(Token& word, std::string_view key);

// Only CoNLL-U has room for such entries. The columns that mean something else in CoNLL-X are emptied.
void make_conllu(Sentence& sentence);

}  // namespace copse
