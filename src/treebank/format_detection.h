#pragma once

#include <string_view>

#include "copse/treebank/layout.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Whether the first line of a file makes it a file of three columns. A '#' there is more often a comment than
// a word, so such a line must end in a head, too.
bool looks_like_tab3(std::string_view line);

// Whether a sentence has what only CoNLL-U has: comments, ranges or empty nodes.
bool has_conllu_lines(const Sentence& sentence);

// Tells by the first sentence of a ten-column file whether it is CoNLL-X or CoNLL-U.
ConllFormat judge_ten_columns(const Sentence& sentence);

}  // namespace copse
