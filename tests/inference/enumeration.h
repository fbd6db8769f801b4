#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "inference/parts.h"

namespace copse::testing {

inline constexpr long double kImpossible = -std::numeric_limits<long double>::infinity();

inline bool is_ancestor(const Heads& heads, int ancestor, int word) {
  const int words = static_cast<int>(heads.size()) - 1;
  for (int steps = 0; steps <= words; ++steps) {
    if (word == ancestor) return true;
    if (word == 0) return false;
    word = heads[word];
  }
  return false;
}

// By the definition: all words are below the root.
inline bool is_any_tree(const Heads& heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  if (std::any_of(heads.begin() + 1, heads.end(), [&](int head) { return head < 0 || head > words; })) {
    return false;
  }
  for (int modifier = 1; modifier <= words; ++modifier) {
    if (!is_ancestor(heads, 0, modifier)) return false;
  }
  return true;
}

// By the definition: and a head dominates every word between it and its modifier.
inline bool is_projective_tree(const Heads& heads) {
  if (!is_any_tree(heads)) return false;
  for (int modifier = 1; modifier < static_cast<int>(heads.size()); ++modifier) {
    const auto [low, high] = std::minmax(heads[modifier], modifier);
    for (int between = low + 1; between < high; ++between) {
      if (!is_ancestor(heads, heads[modifier], between)) return false;
    }
  }
  return true;
}

inline bool has_single_root(const Heads& heads) { return std::count(heads.begin() + 1, heads.end(), 0) == 1; }

// All (n + 1)^n ways to give each word a head, trees or not.
template <typename Visit>
void for_each_head_vector(int words, Visit visit) {
  Heads heads(static_cast<std::size_t>(words) + 1, 0);
  while (true) {
    visit(heads);
    int word = 1;
    while (word <= words && heads[word] == words) heads[word++] = 0;
    if (word > words) return;
    ++heads[word];
  }
}

inline bool is_tree_of(TreeKind kind, const Heads& heads) {
  return kind == TreeKind::projective ? is_projective_tree(heads) : is_any_tree(heads);
}

inline const std::vector<Heads>& all_trees(TreeKind kind, int words) {
  static std::map<std::pair<TreeKind, int>, std::vector<Heads>> cache;
  const auto [entry, is_new] = cache.try_emplace({kind, words});
  if (is_new) {
    for_each_head_vector(words, [&, &trees = entry->second](const Heads& heads) {
      if (is_tree_of(kind, heads)) trees.push_back(heads);
    });
  }
  return entry->second;
}
inline const std::vector<Heads>& all_projective_trees(int words) {
  return all_trees(TreeKind::projective, words);
}

// A distribution over trees, as plain as it can be written down.
struct TreeModel {
  explicit TreeModel(int word_count) : words(word_count), potentials(word_count) {}

  int words;
  Factorization factorization = Factorization::first;
  RootMode root = RootMode::multi;
  TreeKind kind = TreeKind::projective;
  std::vector<Arc> candidates;
  PartTable<double> potentials;
  Constraints constraints;
};

// Answers every question about a model by looking at all trees.
class Enumeration {
 public:
  struct Tree {
    const Heads* heads;
    long double score;
    long double probability;
  };

  explicit Enumeration(const TreeModel& model) : model_(model), is_allowed_(model.words) {
    find_allowed_arcs();
    for (const Heads& heads : all_trees(model.kind, model.words)) {
      if (!is_admissible(heads)) continue;
      admissible_.push_back(&heads);
      const long double score = sum_of_potentials(heads);
      if (score > kImpossible) trees_.push_back({&heads, score, 0});
    }
    std::stable_sort(trees_.begin(), trees_.end(),
                     [](const Tree& left, const Tree& right) { return left.score > right.score; });
    if (!trees_.empty()) normalize();
  }

  // The trees of non-zero probability, best first. (A probability may still be too small for a number.)
  const std::vector<Tree>& trees() const { return trees_; }
  bool is_feasible() const { return !trees_.empty(); }

  long double log_partition() const { return log_partition_; }

  long double entropy() const {
    long double sum = 0;
    for (const Tree& tree : trees_) sum += tree.probability * (log_partition_ - tree.score);
    return sum;
  }

  long double score(const Heads& heads) const {
    return is_tree_of(model_.kind, heads) && is_admissible(heads) ? sum_of_potentials(heads) : kImpossible;
  }

  PartTable<long double> marginals() const {
    PartTable<long double> marginals(model_.words);
    for (const Tree& tree : trees_) {
      for_each_part_of_tree(*tree.heads, [&](const Part& part) {
        for (Order order : orders_of(model_.factorization, part))
          marginals.at(order, part) += tree.probability;
      });
    }
    return marginals;
  }

  static long double expected_right_arcs(const PartTable<long double>& marginals, const Heads& heads) {
    long double sum = 0;
    for_each_part_of_tree(heads, [&](const Part& part) { sum += marginals.at(Order::arc, part); });
    return sum;
  }

  // The most right arcs that can be expected of a tree with candidate arcs that obeys the constraints and the
  // root mode. Such a tree may contain an impossible part of higher order; then its own probability is zero,
  // but not that of its arcs.
  long double most_expected_right_arcs(const PartTable<long double>& marginals) const {
    long double most = 0;
    for (const Heads* heads : admissible_) most = std::max(most, expected_right_arcs(marginals, *heads));
    return most;
  }

  // Obeys candidate arcs, constraints and root mode.
  bool is_admissible(const Heads& heads) const {
    if (model_.root == RootMode::single && !has_single_root(heads)) return false;
    for (int modifier = 1; modifier <= model_.words; ++modifier) {
      if (!is_allowed_.at(Order::arc, {0, heads[modifier], 0, modifier})) return false;
    }
    return true;
  }

 private:
  void find_allowed_arcs() {
    const std::vector<int>& required = model_.constraints.heads;
    for (const auto& [head, modifier] : model_.candidates) {
      const bool is_free = required.empty() || required[modifier] == Constraints::kAnyHead;
      is_allowed_.at(Order::arc, {0, head, 0, modifier}) = is_free || required[modifier] == head;
    }
    for (const auto& [head, modifier] : model_.constraints.forbidden) {
      is_allowed_.at(Order::arc, {0, head, 0, modifier}) = false;
    }
  }

  long double sum_of_potentials(const Heads& heads) const {
    long double sum = 0;
    for_each_part_of_tree(heads, [&](const Part& part) {
      for (Order order : orders_of(model_.factorization, part)) sum += model_.potentials.at(order, part);
    });
    return sum;
  }

  void normalize() {
    const long double highest = trees_.front().score;
    long double sum = 0;
    for (const Tree& tree : trees_) sum += std::exp(tree.score - highest);
    log_partition_ = highest + std::log(sum);
    for (Tree& tree : trees_) tree.probability = std::exp(tree.score - highest) / sum;
  }

  const TreeModel& model_;
  PartTable<char> is_allowed_;
  std::vector<const Heads*> admissible_;
  std::vector<Tree> trees_;
  long double log_partition_ = kImpossible;
};

}  // namespace copse::testing
