#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// The largest value of something, and where it was met first.
struct Maximum {
  int64_t value = 0;
  std::string file;
  size_t line = 0;

  void include(const Maximum& other) {
    if (other.value > value) *this = other;
  }
};

// What a treebank contains. Depth and projectivity are those of whole trees: a word without a head takes its
// sentence out of these counts.
struct TreebankStatistics {
  int64_t sentences = 0;
  int64_t words = 0;
  int64_t multiword_tokens = 0;
  int64_t empty_nodes = 0;
  int64_t words_without_head = 0;
  int64_t partial_sentences = 0;  // those with words without head
  int64_t arcs_of_whole_trees = 0;
  int64_t non_projective_arcs = 0;
  int64_t non_projective_sentences = 0;
  int64_t sentences_with_several_roots = 0;
  Maximum longest_sentence;
  Maximum deepest_tree;
  std::set<std::string, std::less<>> labels;
  std::set<std::string, std::less<>> coarse_tags;
  std::set<std::string, std::less<>> fine_tags;

  // A sentence that begins in this line of a file.
  void include(const Sentence& sentence, const std::string& file, size_t line);
  void include(const TreebankStatistics& other);
};

}  // namespace copse
