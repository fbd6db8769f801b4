#include "parsing/known_heads.h"

#include <algorithm>

namespace copse {

void KnownHeads::assign(const Sentence& sentence, TreeSpace trees, std::span<const int> ends) {
  heads_ = sentence.heads();
  is_empty_ = std::all_of(heads_.begin() + 1, heads_.end(), [](int head) { return head == kNoHead; });
  compatible_.assign(heads_.size(), kNoHead);
  if (is_empty_) return;
  int begin = 0;
  for (const int end : ends) {
    // What no word of the piece can be is nothing that a tree could be measured by.
    piece_.assign(static_cast<std::size_t>(end - begin) + 1, kNoHead);
    for (int word = begin + 1; word <= end; ++word) {
      const int head = heads_[static_cast<std::size_t>(word)];
      int& own = piece_[static_cast<std::size_t>(word - begin)];
      if (head == 0) own = 0;
      if (head > begin && head <= end && head != word) own = head - begin;
    }
    projectivizer_.projectivize(piece_, trees, compatible_piece_);
    for (std::size_t word = 1; word < piece_.size(); ++word) {
      if (piece_[word] == kNoHead || compatible_piece_[word] != piece_[word]) continue;
      compatible_[word + static_cast<std::size_t>(begin)] = piece_[word] == 0 ? 0 : piece_[word] + begin;
    }
    begin = end;
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
  if (is_possible && is_one_of(trees, changed)) {
    heads = std::move(changed);
    return;
  }
  for (const int word : differing) {
    int& head = heads[static_cast<std::size_t>(word)];
    const int before = head;
    const int known = heads_[static_cast<std::size_t>(word)];
    if (fits(known)) head = known;
    if (head == before || !is_one_of(trees, heads)) {
      head = before;
      dropped.push_back(word);
    }
  }
}

}  // namespace copse
