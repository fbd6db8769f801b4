// The k best trees in order, lazily (Huang & Chiang 2005, algorithm 3): every item that is asked for keeps
// its derivations found so far and a heap of candidates for the next one. The chart of maxima gives the best
// score of every item beforehand, so only items on the way to some wanted tree are ever opened.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "inference/descent.h"

namespace copse {

// Memory of the search, kept from sentence to sentence. Everything lives in flat arrays, so that nothing is
// allocated once they have grown.
class KBestSearch {
 public:
  template <class Expanded>
  void run(const Expanded& expansion, const double* values, int k, int words, std::vector<ScoredTree>& trees);

 private:
  static constexpr int kLeaf = -1;
  static constexpr int kUnknown = -2;
  static constexpr int kNone = -1;

  struct Edge {
    double weight;
    Item operands[2];
    int nodes[2];  // kUnknown until asked for; kLeaf for a word, whose only derivation scores 0
    int next;      // edges of a node are a list
  };
  // A derivation that is the next candidate of its node, or one of its derivations already in order.
  struct Derivation {
    double score;
    int edge;
    int ranks[2];
    int left = kNone;  // candidates form a leftist heap through these links
    int right = kNone;
    int distance = 1;
  };
  struct Node {
    Item item;
    int heap = kNone;
    int first_found = kNone;  // in found_, which links the derivations of a node in order of score
    int last_found = kNone;
    int found_count = 0;
  };
  struct Found {
    int derivation;
    int next;
  };

  template <class Expanded>
  class Searcher;

  int merge(int a, int b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    if (derivations_[a].score < derivations_[b].score) std::swap(a, b);
    // Recursion goes down right spines, which a leftist heap keeps logarithmic.
    derivations_[a].right = merge(derivations_[a].right, b);
    const int l = derivations_[a].left;
    const int r = derivations_[a].right;
    if (l == kNone || derivations_[l].distance < derivations_[r].distance) {
      std::swap(derivations_[a].left, derivations_[a].right);
    }
    const int shorter = derivations_[a].right;
    derivations_[a].distance = shorter == kNone ? 1 : derivations_[shorter].distance + 1;
    return a;
  }

  int found_at(int node, int rank) const {
    int at = nodes_[node].first_found;
    while (rank-- > 0) at = found_[at].next;
    return found_[at].derivation;
  }

  void clear(std::size_t expected_nodes) {
    nodes_.clear();
    edges_.clear();
    derivations_.clear();
    found_.clear();
    if (table_.size() < 2 * expected_nodes) table_.resize(2 * expected_nodes);
    used_ = 0;
    ++search_;  // makes all entries of the table old, which means free
  }

  // Node number of an item, by the offset of its number in the chart; inserts kNone for a new one.
  int& lookup(std::ptrdiff_t key) {
    if (2 * (used_ + 1) > table_.size()) grow();
    Slot& slot = probe(key);
    if (slot.search != search_) {
      slot = {key, search_, kNone};
      ++used_;
    }
    return slot.node;
  }

  // After a sentence that needed more than any before: plenty of room, so that one like it allocates nothing.
  void make_room() {
    nodes_.reserve(4 * nodes_.size());
    edges_.reserve(4 * edges_.size());
    derivations_.reserve(4 * derivations_.size());
    found_.reserve(4 * found_.size());
    if (table_.size() < 8 * used_) table_.resize(8 * used_);
    old_table_.reserve(table_.size());
  }
  std::size_t capacity() const {
    return nodes_.capacity() + edges_.capacity() + derivations_.capacity() + found_.capacity() +
           table_.size();
  }

  struct Slot {
    std::ptrdiff_t key = 0;
    std::uint64_t search = 0;  // the search that filled it
    int node = kNone;
  };
  Slot& probe(std::ptrdiff_t key) {
    std::size_t at = static_cast<std::size_t>(key) * 0x9E3779B97F4A7C15ULL % table_.size();
    while (table_[at].search == search_ && table_[at].key != key) at = at + 1 == table_.size() ? 0 : at + 1;
    return table_[at];
  }
  void grow() {
    old_table_.assign(table_.begin(), table_.end());
    table_.assign(4 * old_table_.size() + 64, Slot{});
    for (const Slot& slot : old_table_) {
      if (slot.search == search_) probe(slot.key) = slot;
    }
  }

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Derivation> derivations_;
  std::vector<Found> found_;
  std::vector<Slot> table_;
  std::vector<Slot> old_table_;
  std::size_t used_ = 0;
  std::uint64_t search_ = 0;
};

template <class Expanded>
class KBestSearch::Searcher {
 public:
  Searcher(KBestSearch& memory, const Expanded& expansion, const double* values)
      : m_(memory), expansion_(expansion), values_(values) {}

  // Takes a copy: the item may lie in the very array of edges that grows here.
  int open(Item item) {
    if (expansion_.is_leaf(item)) return kLeaf;
    int& known = m_.lookup(expansion_.offset(item));
    if (known != kNone) return known;
    const int node = static_cast<int>(m_.nodes_.size());
    known = node;
    m_.nodes_.push_back({item});
    int heap = kNone;
    expansion_.expand(item, [&](const Term& term) {
      Edge edge{term.weight,
                {term.operands[0], term.operands[1]},
                {kUnknown, term.operand_count == 2 ? kUnknown : kLeaf},
                kNone};
      double score = edge.weight;
      for (int i = 0; i < term.operand_count; ++i) score += values_[expansion_.offset(term.operands[i])];
      if (!(score > -std::numeric_limits<double>::infinity())) return;
      m_.edges_.push_back(edge);
      heap = add_candidate(heap, {score, static_cast<int>(m_.edges_.size()) - 1, {0, 0}});
    });
    m_.nodes_[node].heap = heap;
    return node;
  }

  // Makes sure that the node has rank + 1 derivations in order; false if it has not that many.
  bool extend(int node, int rank) {
    if (node == kLeaf) return rank == 0;
    while (m_.nodes_[node].found_count <= rank) {
      const int last = m_.nodes_[node].last_found;
      if (last != kNone) add_successors(node, m_.derivations_[m_.found_[last].derivation]);
      const int top = m_.nodes_[node].heap;
      if (top == kNone) return false;
      Node& n = m_.nodes_[node];
      n.heap = m_.merge(m_.derivations_[top].left, m_.derivations_[top].right);
      m_.found_.push_back({top, kNone});
      const int entry = static_cast<int>(m_.found_.size()) - 1;
      (n.last_found == kNone ? n.first_found : m_.found_[n.last_found].next) = entry;
      n.last_found = entry;
      ++n.found_count;
    }
    return true;
  }

  double score(int node, int rank) const { return m_.derivations_[m_.found_at(node, rank)].score; }

  void write_tree(int node, int rank, std::span<int> heads) {
    if (node == kLeaf) return;
    const Item& item = m_.nodes_[node].item;
    if (has_arc(item)) heads[item.span.end()] = item.span.head();
    const Derivation derivation = m_.derivations_[m_.found_at(node, rank)];
    for (int i = 0; i < 2; ++i) {
      const int below = operand_node(derivation.edge, i);
      extend(below, derivation.ranks[i]);
      write_tree(below, derivation.ranks[i], heads);
    }
  }

 private:
  int operand_node(int edge, int i) {
    if (m_.edges_[edge].nodes[i] == kUnknown) {
      const int node = open(m_.edges_[edge].operands[i]);
      m_.edges_[edge].nodes[i] = node;
    }
    return m_.edges_[edge].nodes[i];
  }

  int add_candidate(int heap, const Derivation& derivation) {
    m_.derivations_.push_back(derivation);
    return m_.merge(heap, static_cast<int>(m_.derivations_.size()) - 1);
  }

  // Raising only the second rank, or the first while the second is 0, reaches every pair of ranks once.
  void add_successors(int node, Derivation derivation) {
    for (int i = derivation.ranks[1] == 0 ? 0 : 1; i < 2; ++i) {
      const int below = operand_node(derivation.edge, i);
      const int rank = derivation.ranks[i];
      if (below == kLeaf || !extend(below, rank + 1)) continue;
      Derivation next{0.0, derivation.edge, {derivation.ranks[0], derivation.ranks[1]}};
      ++next.ranks[i];
      next.score = exact_score(next);
      m_.nodes_[node].heap = add_candidate(m_.nodes_[node].heap, next);
    }
  }
  double exact_score(const Derivation& derivation) {
    double sum = m_.edges_[derivation.edge].weight;
    for (int i = 0; i < 2; ++i) {
      const int below = operand_node(derivation.edge, i);
      if (below == kLeaf) continue;
      extend(below, derivation.ranks[i]);
      sum += score(below, derivation.ranks[i]);
    }
    return sum;
  }

  KBestSearch& m_;
  const Expanded& expansion_;
  const double* values_;
};

template <class Expanded>
void KBestSearch::run(const Expanded& expansion, const double* values, int k, int words,
                      std::vector<ScoredTree>& trees) {
  const std::size_t capacity_before = capacity();
  clear(64 * static_cast<std::size_t>(words + 1));
  Searcher<Expanded> searcher(*this, expansion, values);
  const int goal = searcher.open(expansion.goal());
  int count = 0;
  for (; count < k && searcher.extend(goal, count); ++count) {
    if (static_cast<int>(trees.size()) <= count) trees.emplace_back();
    trees[count].heads.assign(words + 1, 0);
    trees[count].score = searcher.score(goal, count);
    searcher.write_tree(goal, count, trees[count].heads);
  }
  trees.resize(count);
  if (capacity() > capacity_before) make_room();
}

}  // namespace copse
