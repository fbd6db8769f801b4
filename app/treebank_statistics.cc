#include "treebank_statistics.h"

#include <algorithm>
#include <vector>

#include "trees/heads.h"

namespace copse {
namespace {

void include_value(std::string_view value, std::set<std::string, std::less<>>& values) {
  if (value != "_" && !values.contains(value)) values.emplace(value);
}

}  // namespace

void TreebankStatistics::include(const Sentence& sentence, const std::string& file, size_t line) {
  ++sentences;
  words += sentence.size();
  multiword_tokens += static_cast<int64_t>(sentence.multiwords().size());
  empty_nodes += static_cast<int64_t>(sentence.empty_nodes().size());
  longest_sentence.include({sentence.size(), file, line});
  for (const Token& word : sentence.words()) {
    include_value(word.deprel(), labels);
    include_value(word.upos(), coarse_tags);
    include_value(word.xpos(), fine_tags);
  }
  const std::vector<int> heads = sentence.heads();
  if (roots(heads).size() > 1) ++sentences_with_several_roots;
  const auto headless = std::count(heads.begin() + 1, heads.end(), kNoHead);
  words_without_head += headless;
  if (headless > 0) {
    ++partial_sentences;
    return;
  }
  const std::vector<int> depth = depths(heads);
  deepest_tree.include({*std::max_element(depth.begin(), depth.end()), file, line});
  arcs_of_whole_trees += sentence.size();
  const auto crossing = static_cast<int64_t>(copse::non_projective_arcs(heads).size());
  non_projective_arcs += crossing;
  if (crossing > 0) ++non_projective_sentences;
}

void TreebankStatistics::include(const TreebankStatistics& other) {
  sentences += other.sentences;
  words += other.words;
  multiword_tokens += other.multiword_tokens;
  empty_nodes += other.empty_nodes;
  words_without_head += other.words_without_head;
  partial_sentences += other.partial_sentences;
  arcs_of_whole_trees += other.arcs_of_whole_trees;
  non_projective_arcs += other.non_projective_arcs;
  non_projective_sentences += other.non_projective_sentences;
  sentences_with_several_roots += other.sentences_with_several_roots;
  longest_sentence.include(other.longest_sentence);
  deepest_tree.include(other.deepest_tree);
  labels.insert(other.labels.begin(), other.labels.end());
  coarse_tags.insert(other.coarse_tags.begin(), other.coarse_tags.end());
  fine_tags.insert(other.fine_tags.begin(), other.fine_tags.end());
}

}  // namespace copse
