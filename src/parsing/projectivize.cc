#include "parsing/projectivize.h"

#include <algorithm>
#include <string>

#include "copse/error.h"
#include "copse/treebank/sentence.h"
#include "trees/heads.h"

namespace copse {
namespace {

void check_range(std::span<const int> heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  for (int m = 1; m <= words; ++m) {
    if (heads[m] != kNoHead && (heads[m] < 0 || heads[m] > words)) {
      throw DataError("word " + std::to_string(m) + " has the head " + std::to_string(heads[m]) +
                      " in a sentence of " + std::to_string(words) + " words; give a head from 0 to " +
                      std::to_string(words));
    }
  }
}

}  // namespace

bool is_one_of(TreeSpace trees, std::span<const int> heads) {
  if (!is_tree(heads)) return false;
  if (trees.kind == TreeKind::projective && !is_projective(heads)) return false;
  return trees.root == RootMode::multi || std::count(heads.begin() + 1, heads.end(), 0) == 1;
}

int Projectivizer::projectivize(std::span<const int> heads, TreeSpace trees, std::vector<int>& out) {
  check_range(heads);
  out.assign(heads.begin(), heads.end());
  const std::span<const int> words = heads.subspan(std::min<std::size_t>(1, heads.size()));
  const auto unknown = static_cast<std::size_t>(std::count(words.begin(), words.end(), kNoHead));
  if (unknown == words.size() || is_one_of(trees, heads)) return 0;

  score_arcs(heads, trees.root);
  best_.resize(heads.size());
  trees_.assign(parts_, potentials_, trees);
  trees_.best_tree(best_);
  int changed = 0;
  for (std::size_t m = 1; m < heads.size(); ++m) {
    if (heads[m] == kNoHead || heads[m] == best_[m]) continue;
    out[m] = unknown == 0 ? best_[m] : kNoHead;
    ++changed;
  }
  return changed;
}

// Scores are whole numbers, which doubles add without rounding (up to 9,700 words), so that neither order nor
// instruction set decides a tie. They rank trees by three criteria, of which each outweighs all that follow:
//   1. the arcs kept: what is asked for;
//   2. the changed words that hang on a substitute for their old head;
//   3. the distances of these substitutes from the old heads, the shorter the better.
// Without the last two the decoder would choose freely among many trees, most of which make no sense as
// syntax. A substitute is an ancestor of the old head, which is where lifting an arc leads to: the word stays
// in all phrases that it was in from there on upwards.
void Projectivizer::score_arcs(std::span<const int> heads, RootMode root) {
  const int words = static_cast<int>(heads.size()) - 1;
  arcs_.assign_all(words);
  parts_.assign(arcs_, Factorization::first);
  potentials_.assign(parts_);
  const double longest_distances = static_cast<double>(words) * words;
  const double substitute_score = longest_distances + 1;
  const double kept_score = words * substitute_score + 1;
  visited_for_.assign(heads.size(), 0);
  for (int m = 1; m <= words; ++m) {
    if (heads[m] == kNoHead || heads[m] == m) continue;
    potentials_.arc[parts_.arc(heads[m], m)] = kept_score;
    reward_substitutes(heads, root, m, substitute_score);
  }
}

// At each substitute, the score less its distance, which is 1..n.
void Projectivizer::reward_substitutes(std::span<const int> heads, RootMode root, int word, double score) {
  const auto reward = [&](int head, int distance) {
    potentials_.arc[parts_.arc(head, word)] = score - distance;
  };
  int distance = 0;
  if (heads[word] != 0) {
    visited_for_[word] = word;
    visited_for_[heads[word]] = word;
    // Ends behind the root, at a word without a head, or where a cycle closes.
    for (int at = heads[heads[word]]; at != kNoHead && visited_for_[at] != word;
         at = at == 0 ? kNoHead : heads[at]) {
      visited_for_[at] = word;
      reward(at, ++distance);
    }
  } else if (root == RootMode::single) {
    // Above the root there is nothing. If it may have only one modifier, the others belong under that one;
    // here the distance grows from left to right, so that the first remains where possible.
    for (int other = 1; other < static_cast<int>(heads.size()); ++other) {
      if (heads[other] != 0) continue;
      ++distance;
      if (other != word) reward(other, distance);
    }
  }
}

}  // namespace copse
