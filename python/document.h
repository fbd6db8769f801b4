#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/parse.h"
#include "copse/parse_options.h"
#include "copse/treebank/sentence.h"

namespace copse::python {

class Workspaces;

// Where a word stands in the text of its document, in code points, as Python counts them.
struct WordRange {
  int begin = -1;  // unknown
  int end = -1;
};

struct DocumentSentence {
  // The columns as they were given, with tags; HEAD and DEPREL are what `parse` says.
  Sentence sentence;
  Parse parse;
  std::vector<WordRange> ranges;           // by word and multiword token; empty if there is no text
  std::vector<WordRange> multiword_ranges;
  std::optional<Sentence> known;           // with the heads that had to be kept, if any

  // A copy with the tree of this rank in its columns; with what MISC and comments say about probabilities, or
  // without.
  Sentence with_columns(std::size_t rank, bool probabilities) const;
};

// A text, or sentences, with what a model says about them. Does not change once it is made: threads share it.
struct Document {
  std::optional<std::string> text;
  std::vector<DocumentSentence> sentences;

  // For questions that come later; none for a document that comes from a file.
  std::shared_ptr<Workspaces> workspaces;
  ParseOptions options;
};

// The sentence parsed again under other options. DataError if the document has no model any more.
std::shared_ptr<Document> parse_again(const Document& document, std::size_t sentence,
                                      const ParseOptions& options);

// As CoNLL-U, all sentences.
std::string conllu_text(const Document& document, bool probabilities);
std::string conllu_text(const DocumentSentence& sentence, bool probabilities);
// A drawing of the best tree: an SVG picture, or lines of characters.
std::string svg_text(const DocumentSentence& sentence);
std::string tree_text(const DocumentSentence& sentence, bool is_unicode);

}  // namespace copse::python
