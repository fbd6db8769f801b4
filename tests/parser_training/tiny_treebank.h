#pragma once

#include <vector>

#include "features/random_sentences.h"
#include "inference/random_cases.h"
#include "parser_training/training_set.h"

namespace copse::testing {

struct TinyTreebankKind {
  TreeSpace trees = RootMode::multi;
  bool is_pruned = false;
  double share_of_partial_trees = 0.3;
  int sentences = 4;
  int most_words = 6;
};

inline Heads random_tree(Generator& random, int words, TreeSpace trees) {
  if (trees.kind == TreeKind::projective) return random_projective_tree(random, words, trees.root);
  const std::vector<Heads>& all = all_trees(trees.kind, words);
  for (;;) {
    const Heads& tree = all[random() % all.size()];
    if (trees.root == RootMode::multi || has_single_root(tree)) return tree;
  }
}

// Random trees over random sentences: there is nothing to be learnt from them but by heart.
inline std::vector<TrainingSentence> tiny_treebank(Generator& random, const TinyTreebankKind& kind) {
  std::vector<TrainingSentence> treebank;
  for (int k = 0; k < kind.sentences; ++k) {
    TrainingSentence& example = treebank.emplace_back();
    example.number = static_cast<std::uint64_t>(k);
    // There are about as many trees of five words as projective ones of six.
    const int most_words =
        kind.trees.kind == TreeKind::projective ? kind.most_words : std::min(kind.most_words, 5);
    const int words = uniform_int(random, 1, most_words);
    example.sentence = random_sentence(random, words);
    const Heads tree = random_tree(random, words, kind.trees);
    if (kind.is_pruned) example.candidates = random_arcs(random, words, 0.3, tree);
    example.heads = tree;
    example.heads[0] = kNoHead;
    if (happens(random, kind.share_of_partial_trees)) {
      example.is_complete = false;
      for (int word = 1; word <= words; ++word) {
        if (word == 1 || happens(random, 0.5)) example.heads[static_cast<std::size_t>(word)] = kNoHead;
      }
    }
    example.sentence.set_heads(example.heads);
  }
  return treebank;
}

}  // namespace copse::testing
