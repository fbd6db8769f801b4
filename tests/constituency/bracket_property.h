#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "constituency/bracket_helpers.h"
#include "trees/heads.h"

namespace copse {

// Bytes are either refused with a DataError, or they are trees that survive being written and read again and
// become dependency trees that do. Returns what went wrong, or nothing.
inline std::optional<std::string> bracket_violation(std::string_view bytes, const ConversionRules& rules) {
  std::vector<ConstituentTree> trees;
  try {
    trees = trees_of(std::string(bytes));
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (!message.starts_with("<text>:")) return "a message without the place: " + std::string(message);
    return std::nullopt;
  }
  try {
    std::string text;
    std::vector<Sentence> sentences;
    for (const ConstituentTree& tree : trees) {
      text += tree.to_text() + "\n";
      const Sentence sentence = to_dependencies(tree, rules);
      if (sentence.empty()) continue;
      const std::vector<int> heads = sentence.heads();
      if (!is_tree(heads) || roots(heads).size() != 1) return "no tree: " + tree.to_text();
      if (!is_projective(heads)) return "not projective: " + tree.to_text();
      sentences.push_back(sentence);
    }
    if (trees_of(text) != trees) return "the trees changed when written and read";
    ConllReadOptions options;
    options.format = ConllFormat::conllu;
    if (read_text(write_text(sentences, ConllFormat::conllu), options) != sentences) {
      return "the sentences changed when written and read";
    }
  } catch (const DataError& error) {
    return std::string("what was read cannot be used: ") + error.what();
  }
  return std::nullopt;
}

}  // namespace copse
