#pragma once

#include <string_view>

#include "copse/treebank/layout.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Whether the first line of a file makes it a file of three columns. A '#' there is more often a comment than
// a word, so such a line must end in a head, too.
bool looks_like_tab3(std::string_view line);

// The first line of `bytes` that is not a comment (#) and not blank, without its line end and the byte order
// mark; empty when there is none. `is_whole` says whether all of the line is there, up to its end.
struct ContentLine {
  std::string_view text;
  bool is_whole = false;
};
ContentLine first_content_line(std::string_view bytes);

// Whether a line has the columns of a treebank, perhaps damaged ones, and is not just text with a tab: ten
// columns, half of them after an ID, or three of which the last is a head.
bool looks_like_treebank_row(std::string_view line);
// Whether it has an ID and at least half of the ten columns, as hardly any line of text has.
bool looks_like_numbered_row(std::string_view line);

// Whether a sentence has what only CoNLL-U has: comments, ranges or empty nodes.
bool has_conllu_lines(const Sentence& sentence);

// Tells by the first sentence of a ten-column file whether it is CoNLL-X or CoNLL-U.
ConllFormat judge_ten_columns(const Sentence& sentence);

}  // namespace copse
