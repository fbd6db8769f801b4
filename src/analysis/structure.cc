#include "analysis/structure.h"

#include <algorithm>

#include "copse/treebank/sentence.h"
#include "trees/heads.h"

namespace copse {
namespace {

// A tree that has all arcs but those that close a cycle, and the root as the head of all words without one.
std::vector<int> completed(std::span<const int> heads) {
  std::vector<int> tree(heads.begin(), heads.end());
  for (size_t word = 1; word < tree.size(); ++word) {
    if (tree[word] == kNoHead) tree[word] = 0;
  }
  enum class Mark : uint8_t { unseen, on_path, done };
  std::vector<Mark> marks(tree.size(), Mark::unseen);
  marks[0] = Mark::done;
  std::vector<int> path;
  for (int start = 1; start < static_cast<int>(tree.size()); ++start) {
    path.clear();
    int word = start;
    for (; marks[word] == Mark::unseen; word = tree[word]) {
      marks[word] = Mark::on_path;
      path.push_back(word);
    }
    if (marks[word] == Mark::on_path) {
      const auto cycle = std::find(path.begin(), path.end(), word);
      tree[*std::min_element(cycle, path.end())] = 0;
    }
    for (const int passed : path) marks[passed] = Mark::done;
  }
  return tree;
}

std::vector<int> root_distances(std::span<const int> heads) {
  constexpr int kUnknown = -2;
  std::vector<int> distances(heads.size(), kUnknown);
  distances[0] = 0;
  std::vector<size_t> path;
  for (size_t start = 1; start < heads.size(); ++start) {
    path.clear();
    size_t word = start;
    while (distances[word] == kUnknown) {
      distances[word] = kNoDistance;  // what a cycle comes back to
      path.push_back(word);
      if (heads[word] == kNoHead) break;
      word = static_cast<size_t>(heads[word]);
    }
    int distance = distances[word];
    if (distance == kNoDistance) continue;
    for (size_t k = path.size(); k-- > 0;) distances[path[k]] = ++distance;
  }
  return distances;
}

}  // namespace

TreeStructure tree_structure(std::span<const int> heads) {
  TreeStructure found;
  found.root_distances = root_distances(heads);
  found.modifiers.resize(heads.size(), 0);
  found.siblings.resize(heads.size(), 0);
  found.is_non_projective.resize(heads.size(), 0);
  for (size_t word = 1; word < heads.size(); ++word) {
    if (heads[word] != kNoHead) ++found.modifiers[static_cast<size_t>(heads[word])];
  }
  for (size_t word = 1; word < heads.size(); ++word) {
    if (heads[word] != kNoHead) found.siblings[word] = found.modifiers[static_cast<size_t>(heads[word])] - 1;
  }
  const std::vector<int> tree = completed(heads);
  for (const int word : non_projective_arcs(tree)) {
    const bool is_arc_of_the_heads = tree[static_cast<size_t>(word)] == heads[static_cast<size_t>(word)];
    found.is_non_projective[static_cast<size_t>(word)] = is_arc_of_the_heads ? 1 : 0;
  }
  return found;
}

}  // namespace copse
