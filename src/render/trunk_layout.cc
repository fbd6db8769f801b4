#include "render/trunk_layout.h"

#include <algorithm>
#include <stdexcept>

namespace copse {
namespace {

// The words, each after all of its modifiers.
std::vector<int> bottom_up_order(std::span<const int> heads) {
  const auto words = static_cast<int>(heads.size()) - 1;
  std::vector<int> waiting_for(heads.size());
  for (int word = 1; word <= words; ++word) {
    if (heads[word] > 0) ++waiting_for[heads[word]];
  }
  std::vector<int> order;
  order.reserve(heads.size());
  for (int word = 1; word <= words; ++word) {
    if (waiting_for[word] == 0) order.push_back(word);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    const int head = heads[order[next]];
    if (head > 0 && --waiting_for[head] == 0) order.push_back(head);
  }
  if (static_cast<int>(order.size()) < words) throw std::invalid_argument("the heads form a cycle");
  return order;
}

}  // namespace

TrunkLayout lay_out_trunks(std::span<const int> heads, int max_lanes) {
  const auto words = static_cast<int>(heads.size()) - 1;
  TrunkLayout layout;
  layout.trunks.resize(heads.size());
  for (int word = 1; word <= words; ++word) {
    layout.trunks[word].first = layout.trunks[word].last = word;
  }
  for (int word = 1; word <= words; ++word) {
    if (heads[word] <= 0) continue;
    Trunk& trunk = layout.trunks[heads[word]];
    trunk.first = std::min(trunk.first, word);
    trunk.last = std::max(trunk.last, word);
  }
  std::vector<int> outermost(heads.size());  // by row
  for (const int word : bottom_up_order(heads)) {
    Trunk& trunk = layout.trunks[word];
    if (trunk.first == trunk.last) continue;
    const auto begin = outermost.begin() + trunk.first;
    const auto end = outermost.begin() + trunk.last + 1;
    const int lane = 1 + *std::max_element(begin, end);
    if (lane > max_lanes) {
      layout.is_complete = false;
      continue;
    }
    trunk.lane = lane;
    std::fill(begin, end, lane);
    layout.lanes = std::max(layout.lanes, lane);
  }
  return layout;
}

}  // namespace copse
