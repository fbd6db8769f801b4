#pragma once

#include <string>
#include <vector>

#include "constituency/bracket_reader.h"
#include "constituency/dependencies.h"
#include "treebank/conll_helpers.h"

namespace copse {

inline std::vector<ConstituentTree> trees_of(const std::string& text,
                                             const BracketReadOptions& options = {}) {
  std::vector<ConstituentTree> trees;
  BracketReader reader = BracketReader::from_text(text, options);
  for (ConstituentTree tree; reader.next(tree);) trees.push_back(tree);
  return trees;
}

// The first tree of a text.
inline ConstituentTree tree_of(const std::string& text) {
  ConstituentTree tree;
  BracketReader::from_text(text).next(tree);
  return tree;
}

inline std::string bracket_error(const std::string& text, const BracketReadOptions& options = {}) {
  return error_of([&] { trees_of(text, options); });
}

// "the:2:NMOD dog:0:ROOT": the words with heads and labels.
inline std::string arcs(const std::string& tree, const ConversionRules& rules) {
  const Sentence sentence = to_dependencies(tree_of(tree), rules);
  std::string text;
  for (const Token& word : sentence.words()) {
    if (!text.empty()) text += ' ';
    text += std::string(word.form()) + ":" + std::string(word.head_text()) + ":" + std::string(word.deprel());
  }
  return text;
}

}  // namespace copse
