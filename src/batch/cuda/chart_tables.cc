#include "batch/cuda/chart_tables.h"

#include <cstring>
#include <limits>

#include "inference/tree_count.h"

namespace copse {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();

std::int32_t narrow(std::int64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

template <class T>
std::size_t ChartTableData::append(const std::vector<T>& numbers) {
  const std::size_t place = bytes_.size();
  const std::size_t size = numbers.size() * sizeof(T);
  bytes_.resize((place + size + 15) / 16 * 16);
  if (size > 0) std::memcpy(bytes_.data() + place, numbers.data(), size);
  return place;
}

bool ChartTableData::assign(const PartIndex& parts) {
  const ArcSet& arcs = parts.arcs();
  const int words = arcs.words();
  const std::size_t positions = static_cast<std::size_t>(words) + 1;
  has_siblings_ = copse::has_siblings(parts.factorization());
  has_grandparents_ = copse::has_grandparents(parts.factorization());
  has_grandsiblings_ = contains(parts.factorization(), PartKind::grandsibling);

  std::vector<std::int32_t> row(positions, 1);
  std::vector<std::int32_t> complete_begin(positions);
  std::vector<std::int32_t> lane_begin(positions);
  std::vector<std::int32_t> lane_heads;
  std::int64_t complete_end = 0;
  for (int head = 0; head <= words; ++head) {
    if (has_grandparents_ && head > 0)
      row[head] = narrow(static_cast<std::int64_t>(arcs.incoming(head).size()));
    complete_begin[head] = narrow(complete_end);
    complete_end += static_cast<std::int64_t>(row[head]) * (words + 1);
    if (complete_end > kLargest) return false;
    lane_begin[head] = narrow(static_cast<std::int64_t>(lane_heads.size()));
    for (int lane = 0; lane < row[head]; ++lane) {
      lane_heads.push_back(has_grandparents_ ? parts.grandparent(head, lane) : 0);
    }
  }
  std::vector<ArcEntry> entries;
  std::vector<std::int32_t> heads;
  std::vector<std::int32_t> lane_of;
  std::vector<std::int32_t> arc_of(positions * positions, -1);
  std::int64_t incomplete_end = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto [head, modifier] = arcs[arc];
    const int lane = has_grandparents_ ? parts.grandparent_rank(arc) : 0;
    heads.push_back(head);
    lane_of.push_back(lane);
    entries.push_back({modifier, complete_begin[modifier] + lane, row[modifier], narrow(incomplete_end)});
    incomplete_end += row[head];
    if (incomplete_end > kLargest) return false;
    arc_of[static_cast<std::size_t>(head) * positions + static_cast<std::size_t>(modifier)] = arc;
  }
  if (parts.count(PartKind::sibling) > kLargest || parts.count(PartKind::grandchild) > kLargest) return false;

  std::vector<std::int32_t> outgoing;
  std::vector<std::int32_t> incoming(1, 0);
  std::vector<std::int32_t> incoming_arcs;
  std::vector<std::int32_t> lanes(positions * positions, 1 << 16);
  std::vector<std::int32_t> last_within(positions * positions);
  for (int head = 0; head <= words; ++head) {
    outgoing.push_back(arcs.outgoing(head, Side::left).first);
    outgoing.push_back(arcs.outgoing(head, Side::right).first);
    if (head > 0) {
      for (const int arc : arcs.incoming(head)) incoming_arcs.push_back(arc);
    }
    incoming.push_back(narrow(static_cast<std::int64_t>(incoming_arcs.size())));
    for (const Side side : {Side::left, Side::right}) {
      const int step = side == Side::right ? 1 : -1;
      const auto [first, last] = arcs.outgoing(head, side);
      int arc = first;
      for (int end = head; end >= 0 && end <= words; end += step) {
        while (arc < last && (arcs[arc].modifier - end) * step <= 0) ++arc;
        last_within[static_cast<std::size_t>(head) * positions + static_cast<std::size_t>(end)] = arc;
      }
    }
    for (int end = 0; has_grandparents_ && end <= words; ++end) {
      if (end == head) continue;
      const GrandparentRange range = parts.grandparents(head, end);
      lanes[static_cast<std::size_t>(head) * positions + static_cast<std::size_t>(end)] =
          range.last > range.first ? range.first | range.last << 16 : 0;
    }
  }
  outgoing.push_back(arcs.size());

  std::vector<std::int32_t> sibling_begin;
  std::vector<std::int32_t> grandchild_begin;
  std::vector<std::int64_t> grandsibling_begin;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    if (has_siblings_) sibling_begin.push_back(narrow(parts.begin(PartKind::sibling, arc)));
    if (has_grandparents_) grandchild_begin.push_back(narrow(parts.begin(PartKind::grandchild, arc)));
    if (has_grandsiblings_) grandsibling_begin.push_back(parts.begin(PartKind::grandsibling, arc));
  }

  bytes_.clear();
  places_ = {
      append(entries),        append(heads),         append(arc_of),           append(outgoing),
      append(incoming),       append(incoming_arcs), append(lane_of),          append(row),
      append(complete_begin), append(lanes),         append(last_within),      append(lane_heads),
      append(lane_begin),     append(sibling_begin), append(grandchild_begin), append(grandsibling_begin)};
  sizes_.words = words;
  sizes_.arcs = arcs.size();
  sizes_.complete_count = narrow(complete_end);
  sizes_.incomplete_count = narrow(incomplete_end);
  sizes_.log_tree_count_bound = log_tree_count_bound(arcs);
  // Ranges of lanes have 16 bits each, of which one is the sign.
  return !has_grandparents_ || words < 1 << 15;
}

ChartTables ChartTableData::at(const std::byte* base) const {
  const auto place = [&]<class T>(const T*& table, std::size_t offset) {
    table = reinterpret_cast<const T*>(base + offset);
  };
  ChartTables tables = sizes_;
  place(tables.entries, places_.entries);
  place(tables.heads, places_.heads);
  place(tables.arc_of, places_.arc_of);
  place(tables.outgoing, places_.outgoing);
  place(tables.incoming, places_.incoming);
  place(tables.incoming_arcs, places_.incoming_arcs);
  place(tables.lane_of, places_.lane_of);
  place(tables.row, places_.row);
  place(tables.complete_begin, places_.complete_begin);
  place(tables.lanes, places_.lanes);
  place(tables.last_within, places_.last_within);
  place(tables.lane_heads, places_.lane_heads);
  place(tables.lane_begin, places_.lane_begin);
  place(tables.sibling_begin, places_.sibling_begin);
  place(tables.grandchild_begin, places_.grandchild_begin);
  place(tables.grandsibling_begin, places_.grandsibling_begin);
  return tables;
}

}  // namespace copse
