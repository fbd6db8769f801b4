#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/parse.h"
#include "copse/parse_options.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/text_range.h"

namespace copse::python {

class Workspaces;

// What is written: the best trees alone, or all that there are, one after the other.
struct ConlluOptions {
  bool probabilities = false;  // in MISC and comments
  bool all_trees = false;
  bool doubts = true;  // in MISC
};

struct DocumentSentence {
  // The columns as they were given, with tags; HEAD and DEPREL are what `parse` says.
  Sentence sentence;
  Parse parse;
  std::vector<std::optional<TextRange>> ranges;  // by word, where it stands in the text
  std::optional<Sentence> known;                 // with the heads that had to be kept, if any

  // A copy with the tree of this rank in its columns.
  Sentence with_columns(std::size_t rank, const ConlluOptions& options) const;
};

// A text, or sentences, with what a model says about them. Does not change once it is made: threads share it.
struct Document {
  std::optional<std::string> text;
  std::vector<DocumentSentence> sentences;

  // For questions that come later; none for a document that comes from a file.
  std::shared_ptr<Workspaces> workspaces;
  ParseOptions options;
};

// A head, and perhaps a label, that a word has to have. Counted from 1; head 0 is the root.
struct KnownArc {
  int sentence = 1;
  int word = 0;
  int head = 0;
  std::string label;  // empty: any
};
// Puts them into the columns. std::invalid_argument "constraints[2].head: ..." for what is no word.
void set_known(const std::vector<KnownArc>& known, std::span<Sentence* const> sentences);

// A document of one sentence, parsed again under other options, which has to have these arcs (of sentence 1),
// too. DataError if the document has no model any more.
std::shared_ptr<Document> parse_again(const Document& document, std::size_t sentence,
                                      const ParseOptions& options, const std::vector<KnownArc>& known = {});

// As CoNLL-U.
std::string conllu_text(const Document& document, const ConlluOptions& options);
std::string conllu_text(const DocumentSentence& sentence, const ConlluOptions& options);
// A drawing of the best tree: an SVG picture, or lines of characters.
std::string svg_text(const DocumentSentence& sentence);
std::string tree_text(const DocumentSentence& sentence, bool is_unicode);

}  // namespace copse::python
