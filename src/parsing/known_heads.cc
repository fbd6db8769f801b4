#include "parsing/known_heads.h"

#include <algorithm>

#include "trees/heads.h"

namespace copse {
namespace {

bool is_in(TreeSpace trees, std::span<const int> heads) {
  if (!is_tree(heads)) return false;
  if (trees.kind == TreeKind::projective && !is_projective(heads)) return false;
  return trees.root == RootMode::multi || std::count(heads.begin() + 1, heads.end(), 0) == 1;
}

}  // namespace

void KnownHeads::assign(const Sentence& sentence, TreeSpace trees) {
  heads_ = sentence.heads();
  is_empty_ = std::all_of(heads_.begin() + 1, heads_.end(), [](int head) { return head == kNoHead; });
  compatible_ = heads_;
  if (is_empty_) return;
  // What cannot be a head at all is nothing that a tree could be measured by.
  std::vector<int> possible = heads_;
  for (int word = 1; word <= sentence.size(); ++word) {
    int& head = possible[static_cast<std::size_t>(word)];
    if (head == word || head > sentence.size()) head = kNoHead;
  }
  projectivizer_.projectivize(possible, trees, compatible_);
  for (std::size_t word = 1; word < heads_.size(); ++word) {
    if (compatible_[word] != heads_[word]) compatible_[word] = kNoHead;
  }
}

void KnownHeads::restore(TreeSpace trees, std::vector<int>& heads, std::vector<int>& dropped) const {
  dropped.clear();
  std::vector<int> differing;
  for (std::size_t word = 1; word < heads.size(); ++word) {
    if (heads_[word] != kNoHead && heads_[word] != heads[word]) differing.push_back(static_cast<int>(word));
  }
  if (differing.empty()) return;
  std::vector<int> changed = heads;
  const auto fits = [&](int head) { return head < static_cast<int>(heads.size()); };
  bool is_possible = true;
  for (const int word : differing) {
    const int head = heads_[static_cast<std::size_t>(word)];
    is_possible &= fits(head);
    changed[static_cast<std::size_t>(word)] = head;
  }
  if (is_possible && is_in(trees, changed)) {
    heads = std::move(changed);
    return;
  }
  for (const int word : differing) {
    int& head = heads[static_cast<std::size_t>(word)];
    const int before = head;
    const int known = heads_[static_cast<std::size_t>(word)];
    if (fits(known)) head = known;
    if (head == before || !is_in(trees, heads)) {
      head = before;
      dropped.push_back(word);
    }
  }
}

}  // namespace copse
