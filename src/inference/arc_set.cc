#include "copse/inference/arc_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace copse {
namespace {

void require_numbers(std::int64_t arcs, int words) {
  if (arcs <= std::numeric_limits<int>::max()) return;
  throw std::length_error(fmt::format(
      "{} arcs of a sentence of {} words are too many; leave some out, or split the sentence", arcs, words));
}

}  // namespace

void ArcSet::assign_all(int words) {
  require_numbers(std::int64_t{words} * words, words);
  words_ = words;
  arcs_.clear();
  arcs_.reserve(static_cast<std::size_t>(words) * words);
  for (int head = 0; head <= words; ++head) {
    for (int modifier = head - 1; modifier >= 1; --modifier) arcs_.push_back({head, modifier});
    for (int modifier = head + 1; modifier <= words; ++modifier) arcs_.push_back({head, modifier});
  }
  index();
}

void ArcSet::assign(int words, std::span<const Arc> arcs) {
  for (const Arc& arc : arcs) {
    if (arc.head < 0 || arc.head > words || arc.modifier < 1 || arc.modifier > words ||
        arc.head == arc.modifier) {
      throw std::invalid_argument(
          fmt::format("{} -> {} is not an arc of a sentence of {} words", arc.head, arc.modifier, words));
    }
  }
  require_numbers(static_cast<std::int64_t>(arcs.size()), words);
  words_ = words;
  arcs_.assign(arcs.begin(), arcs.end());
  std::sort(arcs_.begin(), arcs_.end(), [](const Arc& a, const Arc& b) {
    if (a.head != b.head) return a.head < b.head;
    if (side(a) != side(b)) return side(a) < side(b);
    return std::abs(a.modifier - a.head) < std::abs(b.modifier - b.head);
  });
  arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
  index();
}

void ArcSet::index() {
  outgoing_.assign(2 * static_cast<std::size_t>(words_) + 3, 0);
  incoming_.assign(static_cast<std::size_t>(words_) + 2, 0);
  for (const Arc& arc : arcs_) {
    ++outgoing_[2 * arc.head + (side(arc) == Side::right ? 1 : 0) + 1];
    ++incoming_[arc.modifier + 1];
  }
  for (std::size_t i = 1; i < outgoing_.size(); ++i) outgoing_[i] += outgoing_[i - 1];
  for (std::size_t i = 1; i < incoming_.size(); ++i) incoming_[i] += incoming_[i - 1];

  // Arcs are visited by ascending head, so each list of incoming arcs comes out sorted by head. incoming_[m]
  // serves as the write position of m and is put right again afterwards.
  incoming_arcs_.resize(arcs_.size());
  incoming_rank_.resize(arcs_.size());
  for (int arc = 0; arc < size(); ++arc) incoming_arcs_[incoming_[arcs_[arc].modifier]++] = arc;
  for (int modifier = words_ + 1; modifier >= 1; --modifier) incoming_[modifier] = incoming_[modifier - 1];
  incoming_[0] = 0;
  for (int modifier = 1; modifier <= words_; ++modifier) {
    int rank = 0;
    for (int arc : incoming(modifier)) incoming_rank_[arc] = rank++;
  }
}

int ArcSet::find(int head, int modifier) const {
  if (modifier < 1 || modifier > words_ || head < 0 || head > words_ || head == modifier) return kNone;
  if (is_full()) {
    const int first = head == 0 ? 0 : words_ + (head - 1) * (words_ - 1);
    if (modifier < head) return first + head - 1 - modifier;
    return first + std::max(head - 1, 0) + modifier - head - 1;
  }
  const std::span<const int> arcs = incoming(modifier);
  const auto found = std::lower_bound(arcs.begin(), arcs.end(), head,
                                      [this](int arc, int h) { return arcs_[arc].head < h; });
  return found != arcs.end() && arcs_[*found].head == head ? *found : kNone;
}

}  // namespace copse
