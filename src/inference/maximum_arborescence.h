// The best tree whose arcs may cross.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/factorization.h"

namespace copse {

// Chu, Liu and Edmonds' algorithm in O(n²): from each word, follow the best arcs up; where that closes a
// cycle, contract it to one node, and go on. A workspace.
//
// A single root is exact, too. Counting an arc from the root as infinitely bad makes the best tree one with
// the fewest of them. Infinities of this kind need no arithmetic: differences that contraction makes are
// between arcs from words, so they stay finite, and an arc from the root is taken only where there is no
// other.
class MaximumArborescence {
 public:
  // `scores` has n + 1 rows of n + 1: entry [m][h] is that of the arc from h to m, minus infinity if there is
  // none; row 0 and the diagonal are ignored. False if there is no tree.
  bool find(int words, RootMode root, std::span<const double> scores, std::span<int> heads);

 private:
  struct Incoming {
    double score;
    int head;  // the arc of the sentence that this stands for
    int modifier;
  };
  enum class Mark : std::uint8_t { unseen, on_path, connected };

  // Words and contracted cycles are nodes of the forest of contractions. Each cycle takes over the slot, row
  // and column of the matrix, of one of its members.
  void assign(int words, std::span<const double> scores);
  bool connect(int slot, RootMode root);
  int best_source(int slot, RootMode root) const;
  void contract(std::span<const int> cycle, int slot);
  void expand(std::span<int> heads);

  Incoming& incoming(int slot, int source) { return matrix_[index(slot, source)]; }
  const Incoming& incoming(int slot, int source) const { return matrix_[index(slot, source)]; }
  std::size_t index(int slot, int source) const {
    return static_cast<std::size_t>(slot) * static_cast<std::size_t>(words_ + 1) +
           static_cast<std::size_t>(source);
  }

  int words_ = 0;
  int root_arcs_ = 0;
  std::vector<Incoming> matrix_;
  std::vector<int> active_;   // slots in use, without the root's
  std::vector<Mark> marks_;   // by slot
  std::vector<int> path_;     // slots; each one's best arc comes from the next
  std::vector<int> node_of_;  // by slot
  struct Node {
    Incoming chosen;
    int parent;         // the cycle it was contracted to, 0 if none
    int first_member;   // of a cycle
    int next_in_cycle;  // 0 at the end
  };
  std::vector<Node> nodes_;
  std::vector<int> stack_;
};

}  // namespace copse
