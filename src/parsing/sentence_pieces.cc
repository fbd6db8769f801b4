#include "parsing/sentence_pieces.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace copse {
namespace {

constexpr std::array<std::string_view, 11> kSentenceFinal = {".",  "!",  "?", "...", "…", "。",
                                                             "！", "？", "।", "؟",   "۔"};

bool is_sentence_final(std::string_view form) {
  return std::find(kSentenceFinal.begin(), kSentenceFinal.end(), form) != kSentenceFinal.end();
}

// All but the entry of the root.
template <class T>
void append_words(std::vector<T>& list, const std::vector<T>& piece) {
  if (!piece.empty()) list.insert(list.end(), piece.begin() + 1, piece.end());
}

ParsedTree joined(ParsedTree tree, const ParsedTree& piece, RootMode root) {
  const int offset = static_cast<int>(tree.heads.size()) - 1;
  const int attachment = attachment_of_next_piece(tree.heads, root);
  for (std::size_t word = 1; word < piece.heads.size(); ++word) {
    tree.heads.push_back(piece.heads[word] == 0 ? attachment : piece.heads[word] + offset);
  }
  tree.log_probability += piece.log_probability;
  append_words(tree.head_probabilities, piece.head_probabilities);
  append_words(tree.labels, piece.labels);
  append_words(tree.label_probabilities, piece.label_probabilities);
  return tree;
}

}  // namespace

int attachment_of_next_piece(const std::vector<int>& heads, RootMode root) {
  if (root == RootMode::multi) return 0;
  return static_cast<int>(std::find(heads.begin() + 1, heads.end(), 0) - heads.begin());
}

std::vector<int> piece_ends(const Sentence& sentence, int max_words) {
  std::vector<int> ends;
  int end = 0;
  while (sentence.size() - end > max_words) {
    const int limit = end + max_words;
    int cut = limit;
    while (cut > limit - max_words / 2 && !is_sentence_final(sentence[cut].form())) --cut;
    end = cut > limit - max_words / 2 ? cut : limit;
    ends.push_back(end);
  }
  ends.push_back(sentence.size());
  return ends;
}

std::vector<int> piece_ends(const Sentence& sentence, const ParseOptions& options) {
  const bool is_whole = sentence.size() <= options.max_whole_words;
  return piece_ends(sentence, is_whole ? sentence.size() : options.max_piece_words);
}

void append_piece(std::vector<ParsedTree>& before, const std::vector<ParsedTree>& piece, RootMode root,
                  int max_trees) {
  // No pair (i, j) is better than the (i + 1)(j + 1) - 1 pairs with smaller numbers.
  const auto most = static_cast<std::size_t>(max_trees);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t j = 0; j < piece.size() && (i + 1) * (j + 1) <= most; ++j) pairs.emplace_back(i, j);
  }
  const auto log_probability = [&](const auto& pair) {
    return before[pair.first].log_probability + piece[pair.second].log_probability;
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return log_probability(a) > log_probability(b); });
  pairs.resize(std::min(pairs.size(), most));
  std::vector<ParsedTree> trees;
  trees.reserve(pairs.size());
  for (const auto& [i, j] : pairs) trees.push_back(joined(before[i], piece[j], root));
  before = std::move(trees);
}

void append_piece(ParsedTree& before, const ParsedTree& piece, RootMode root) {
  before = joined(std::move(before), piece, root);
}

}  // namespace copse
