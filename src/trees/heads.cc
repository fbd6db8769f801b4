#include "trees/heads.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace copse {
namespace {

constexpr int kNone = -1;  // kNoHead of treebank

// The words from the root down, every head before its modifiers. Words that do not lead to the root are left
// out, so that walking the order ends whatever the heads are.
std::vector<int> top_down_order(std::span<const int> heads) {
  const size_t size = heads.size();
  std::vector<int> first_child(size + 1, 0);  // counting sort of the modifiers by head
  for (size_t m = 1; m < size; ++m) {
    if (heads[m] >= 0) ++first_child[heads[m] + 1];
  }
  for (size_t h = 1; h <= size; ++h) first_child[h] += first_child[h - 1];
  std::vector<int> children(static_cast<size_t>(first_child[size]));
  std::vector<int> filled(first_child.begin(), first_child.end() - 1);
  for (size_t m = 1; m < size; ++m) {
    if (heads[m] >= 0) children[filled[heads[m]]++] = static_cast<int>(m);
  }
  std::vector<int> order;
  order.reserve(size);
  if (size > 0) order.push_back(0);
  for (size_t next = 0; next < order.size(); ++next) {
    const int head = order[next];
    order.insert(order.end(), children.begin() + first_child[head], children.begin() + first_child[head + 1]);
  }
  return order;
}

// What one walk up and one walk down tell about every subtree.
struct Subtrees {
  std::vector<int> size;
  std::vector<std::pair<int, int>> span;
  std::vector<int> preorder;

  explicit Subtrees(std::span<const int> heads) : size(heads.size(), 1), preorder(heads.size(), 0) {
    span.reserve(heads.size());
    for (size_t m = 0; m < heads.size(); ++m) span.emplace_back(m, m);
    const std::vector<int> order = top_down_order(heads);
    for (size_t k = order.size(); k-- > 1;) {
      const int m = order[k];
      const int h = heads[m];
      size[h] += size[m];
      span[h] = {std::min(span[h].first, span[m].first), std::max(span[h].second, span[m].second)};
    }
    std::vector<int> next_free(heads.size(), 1);
    for (size_t k = 1; k < order.size(); ++k) {
      const int m = order[k];
      const int h = heads[m];
      preorder[m] = next_free[h];
      next_free[h] += size[m];
      next_free[m] = preorder[m] + 1;
    }
  }

  bool is_contiguous(int word) const { return span[word].second - span[word].first + 1 == size[word]; }
  bool descends(int word, int ancestor) const {
    const int offset = preorder[word] - preorder[ancestor];
    return offset >= 0 && offset < size[ancestor];
  }
};

// A word of a cycle, or kNone. Each walk towards the root marks its words with its own start and stops at a
// word that is marked already: a mark of the same walk closes a cycle.
int word_in_cycle(std::span<const int> heads, std::vector<int>& walk) {
  walk.assign(heads.size(), 0);
  for (int start = 1; start < static_cast<int>(heads.size()); ++start) {
    int word = start;
    while (word > 0 && walk[word] == 0) {
      walk[word] = start;
      word = heads[word];
    }
    if (word > 0 && walk[word] == start) return word;
  }
  return kNone;
}

}  // namespace

std::vector<int> find_cycle(std::span<const int> heads) {
  std::vector<int> cycle;
  const int entry = word_in_cycle(heads, cycle);
  cycle.clear();
  if (entry == kNone) return cycle;
  int word = entry;
  do {
    cycle.push_back(word);
    word = heads[word];
  } while (word != entry);
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

bool is_tree(std::span<const int> heads, std::vector<int>& workspace) {
  if (heads.empty()) return false;
  const int size = static_cast<int>(heads.size());
  const bool all_attached =
      std::all_of(heads.begin() + 1, heads.end(), [&](int head) { return head >= 0 && head < size; });
  return all_attached && word_in_cycle(heads, workspace) == kNone;
}

bool is_tree(std::span<const int> heads) {
  std::vector<int> workspace;
  return is_tree(heads, workspace);
}

std::vector<int> roots(std::span<const int> heads) {
  std::vector<int> result;
  for (size_t m = 1; m < heads.size(); ++m) {
    if (heads[m] == 0) result.push_back(static_cast<int>(m));
  }
  return result;
}

std::vector<int> arc_lengths(std::span<const int> heads) {
  std::vector<int> lengths(heads.size(), 0);
  for (size_t m = 1; m < heads.size(); ++m) {
    if (heads[m] >= 0) lengths[m] = std::abs(heads[m] - static_cast<int>(m));
  }
  return lengths;
}

std::vector<int> inner_siblings(std::span<const int> heads) {
  const int size = static_cast<int>(heads.size());
  std::vector<int> inner(heads.size(), kNone);
  std::vector<int> outermost(heads.size());  // so far, on the side being walked
  const auto visit = [&](int m) { inner[m] = std::exchange(outermost[heads[m]], m); };
  for (int h = 0; h < size; ++h) outermost[h] = h;
  for (int m = 1; m < size; ++m) {
    if (heads[m] >= 0 && heads[m] < m) visit(m);
  }
  for (int h = 0; h < size; ++h) outermost[h] = h;
  for (int m = size - 1; m > 0; --m) {
    if (heads[m] > m) visit(m);
  }
  return inner;
}

std::vector<int> grandparents(std::span<const int> heads) {
  std::vector<int> result(heads.size(), kNone);
  for (size_t m = 1; m < heads.size(); ++m) {
    if (heads[m] >= 0) result[m] = heads[m] == 0 ? 0 : heads[heads[m]];
  }
  return result;
}

std::vector<int> depths(std::span<const int> heads) {
  std::vector<int> depth(heads.size(), 0);
  const std::vector<int> order = top_down_order(heads);
  for (size_t k = 1; k < order.size(); ++k) depth[order[k]] = depth[heads[order[k]]] + 1;
  return depth;
}

std::vector<std::pair<int, int>> subtree_spans(std::span<const int> heads) { return Subtrees(heads).span; }

bool is_projective(std::span<const int> heads) {
  // All arcs of a tree are projective exactly when none leads out of the words that another one spans.
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    const int low = std::min(m, heads[m]);
    const int high = std::max(m, heads[m]);
    for (int between = low + 1; between < high; ++between) {
      if (heads[between] < low || heads[between] > high) return false;
    }
  }
  return true;
}

std::vector<int> non_projective_arcs(std::span<const int> heads) {
  const Subtrees subtrees(heads);
  std::vector<int> result;
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    const int h = heads[m];
    if (h < 0 || subtrees.is_contiguous(h)) continue;
    for (int between = std::min(h, m) + 1; between < std::max(h, m); ++between) {
      if (!subtrees.descends(between, h)) {
        result.push_back(m);
        break;
      }
    }
  }
  return result;
}

}  // namespace copse
