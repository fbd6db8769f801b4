#pragma once

#include <span>
#include <vector>

#include "copse/inference/factorization.h"
#include "copse/treebank/sentence.h"
#include "parsing/projectivize.h"

namespace copse {

// The heads that a user has given to the words of a sentence, and what can be kept of them. A workspace for
// one thread.
class KnownHeads {
 public:
  // `trees` are those that the parser chooses from, and `ends` the last words of the pieces that it parses.
  void assign(const Sentence& sentence, TreeSpace trees, std::span<const int> ends);

  bool empty() const { return is_empty_; }
  // The most of them that one of the trees can have together, piece by piece; kNoHead for the other words.
  std::span<const int> compatible() const { return compatible_; }

  // Puts known heads that are not in a finished tree back into it, as long as it stays a tree that is in
  // `trees`; this may be a larger space than that of the parser. Sets `dropped` to the words that do not get
  // theirs.
  void restore(TreeSpace trees, std::vector<int>& heads, std::vector<int>& dropped) const;

 private:
  std::vector<int> heads_;
  std::vector<int> compatible_;
  bool is_empty_ = true;
  std::vector<int> piece_;
  std::vector<int> compatible_piece_;
  Projectivizer projectivizer_;
};

}  // namespace copse
