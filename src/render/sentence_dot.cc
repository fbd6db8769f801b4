#include <fmt/format.h>

#include "render/markup.h"
#include "render/probability.h"
#include "render/sentence_text.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

// Two quoted strings as the lines of one label.
std::string two_lines(std::string first, const std::string& second) {
  first.back() = '\\';
  return first + 'n' + second.substr(1);
}

std::string node(int index, const Token& word) {
  const std::string_view tag = word.upos() == "_" ? word.xpos() : word.upos();
  const std::string form = dot_quoted(word.form());
  return fmt::format("  {} [label={}];\n", index, tag == "_" ? form : two_lines(form, dot_quoted(tag)));
}

std::string edge(int index, const Token& word) {
  std::string attributes;
  if (word.deprel() != "_") attributes = fmt::format("label={}", dot_quoted(word.deprel()));
  if (const auto probability = head_probability(word)) {
    attributes += fmt::format("{}tooltip=\"{}\", penwidth={:.2f}", attributes.empty() ? "" : ", ",
                              percent(*probability), 0.3 + *probability);
  }
  const std::string list = attributes.empty() ? "" : fmt::format(" [{}]", attributes);
  return fmt::format("  {} -> {}{};\n", word.head(), index, list);
}

}  // namespace

std::string sentence_dot(const Sentence& sentence, const std::string& usual_name) {
  const std::string name(sentence.sent_id().value_or(""));
  std::string out = fmt::format("digraph {} {{\n", dot_quoted(name.empty() ? usual_name : name));
  if (sentence.text()) out += fmt::format("  label={};\n", dot_quoted(*sentence.text()));
  out += "  ordering=out;\n  node [shape=plaintext];\n  0 [shape=point];\n";
  for (int word = 1; word <= sentence.size(); ++word) out += node(word, sentence[word]);
  for (int word = 1; word <= sentence.size(); ++word) {
    if (sentence[word].head() != kNoHead) out += edge(word, sentence[word]);
  }
  return out + "}\n";
}

}  // namespace copse
