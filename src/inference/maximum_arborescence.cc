#include "inference/maximum_arborescence.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "numeric/numbers.h"

namespace copse {
void MaximumArborescence::assign(int words, std::span<const double> scores) {
  words_ = words;
  root_arcs_ = 0;
  const std::size_t size = static_cast<std::size_t>(words) + 1;
  matrix_.resize(size * size);
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h) incoming(m, h) = {scores[index(m, h)], h, m};
  }
  active_.resize(static_cast<std::size_t>(words));
  std::iota(active_.begin(), active_.end(), 1);
  marks_.assign(size, Mark::unseen);
  node_of_.resize(size);
  std::iota(node_of_.begin(), node_of_.end(), 0);
  nodes_.assign(size, Node{{kMinusInfinity, 0, 0}, 0, 0, 0});
}

bool MaximumArborescence::find(int words, RootMode root, std::span<const double> scores,
                               std::span<int> heads) {
  assign(words, scores);
  for (int word = 1; word <= words; ++word) {
    const bool is_active = std::binary_search(active_.begin(), active_.end(), word);
    if (is_active && marks_[static_cast<std::size_t>(word)] == Mark::unseen && !connect(word, root)) {
      return false;
    }
  }
  if (root == RootMode::single && root_arcs_ > 1) return false;
  expand(heads);
  return true;
}

int MaximumArborescence::best_source(int slot, RootMode root) const {
  double best = kMinusInfinity;
  int source = -1;
  for (const int other : active_) {
    if (other == slot || incoming(slot, other).score <= best) continue;
    best = incoming(slot, other).score;
    source = other;
  }
  const double from_root = incoming(slot, 0).score;
  const bool prefers_root = root == RootMode::multi ? from_root > best : source < 0;
  return prefers_root && from_root > kMinusInfinity ? 0 : source;
}

bool MaximumArborescence::connect(int slot, RootMode root) {
  path_.assign(1, slot);
  for (;;) {
    const int current = path_.back();
    marks_[static_cast<std::size_t>(current)] = Mark::on_path;
    const int source = best_source(current, root);
    if (source < 0) return false;
    nodes_[static_cast<std::size_t>(node_of_[static_cast<std::size_t>(current)])].chosen =
        incoming(current, source);
    if (source == 0) ++root_arcs_;
    const Mark mark = source == 0 ? Mark::connected : marks_[static_cast<std::size_t>(source)];
    if (mark == Mark::connected) {
      for (const int passed : path_) marks_[static_cast<std::size_t>(passed)] = Mark::connected;
      return true;
    }
    if (mark == Mark::on_path) {
      const auto begin = std::find(path_.begin(), path_.end(), source);
      contract({begin, path_.end()}, source);
      path_.erase(begin + 1, path_.end());
    } else {
      path_.push_back(source);
    }
  }
}

void MaximumArborescence::contract(std::span<const int> cycle, int slot) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({{kMinusInfinity, 0, 0}, 0, 0, 0});
  for (const int member : cycle) {
    const int inner = node_of_[static_cast<std::size_t>(member)];
    nodes_[static_cast<std::size_t>(inner)].parent = node;
    nodes_[static_cast<std::size_t>(inner)].next_in_cycle =
        std::exchange(nodes_[static_cast<std::size_t>(node)].first_member, inner);
    // An arc that enters here takes the place of the chosen one.
    const double lost = nodes_[static_cast<std::size_t>(inner)].chosen.score;
    for (const int other : active_) incoming(member, other).score -= lost;
    incoming(member, 0).score -= lost;
  }
  std::erase_if(active_, [&](int other) {
    return other != slot && std::find(cycle.begin(), cycle.end(), other) != cycle.end();
  });
  for (const int member : cycle) {
    if (member == slot) continue;
    const auto keep_better = [](Incoming& kept, const Incoming& other) {
      if (other.score > kept.score) kept = other;
    };
    keep_better(incoming(slot, 0), incoming(member, 0));
    for (const int other : active_) {
      if (other == slot) continue;
      keep_better(incoming(slot, other), incoming(member, other));
      keep_better(incoming(other, slot), incoming(other, member));
    }
  }
  node_of_[static_cast<std::size_t>(slot)] = node;
}

// The arc that enters a cycle replaces one of its arcs, and so on inwards.
void MaximumArborescence::expand(std::span<int> heads) {
  heads[0] = 0;
  stack_.clear();
  for (const int slot : active_) stack_.push_back(node_of_[static_cast<std::size_t>(slot)]);
  while (!stack_.empty()) {
    const int top = stack_.back();
    stack_.pop_back();
    const Incoming arc = nodes_[static_cast<std::size_t>(top)].chosen;
    heads[static_cast<std::size_t>(arc.modifier)] = arc.head;
    for (int node = arc.modifier; node != top;) {
      const int cycle = nodes_[static_cast<std::size_t>(node)].parent;
      for (int member = nodes_[static_cast<std::size_t>(cycle)].first_member; member != 0;
           member = nodes_[static_cast<std::size_t>(member)].next_in_cycle) {
        if (member != node) stack_.push_back(member);
      }
      node = cycle;
    }
  }
}

}  // namespace copse
