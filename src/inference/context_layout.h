// Charts over candidate arcs: an item of head h is a row with one lane for each candidate parent of h, so
// time and memory follow the number of surviving arcs. Where items do not carry parents, a row has one lane.
#pragma once

#include <cstddef>
#include <vector>

#include "copse/inference/part_index.h"
#include "inference/span.h"
#include "inference/span_layout.h"
#include "inference/used_spans.h"

namespace copse {

// Memory for the tables of a layout, kept from sentence to sentence. The layout itself is a handful of
// numbers and pointers to them: the sweeps copy it, so that the compiler sees that no store to a chart
// changes it.
struct ContextTables {
  std::vector<std::ptrdiff_t> row_size;
  std::vector<std::ptrdiff_t> complete_begin;
  std::vector<std::ptrdiff_t> incomplete_begin;
  std::vector<std::ptrdiff_t> under_begin;
  std::vector<std::ptrdiff_t> weight_begin;
  std::vector<std::ptrdiff_t> weight_row;
  std::vector<std::ptrdiff_t> join_base;
  std::vector<std::ptrdiff_t> join_of_arc;
  std::vector<int> outgoing;
  std::vector<GrandparentRange> grandparents;
};

template <Contexts kContexts>
class ContextLayout {
 public:
  using Offset = std::ptrdiff_t;
  static constexpr Contexts kItemContexts = kContexts;
  static constexpr bool kParents = kContexts != Contexts::none;
  static constexpr bool kAugmented = kContexts == Contexts::parents_and_siblings;
  static constexpr bool kOutermost = kContexts == Contexts::parents_of_complete;
  static constexpr bool kSharedJoins = false;
  static constexpr int kFirstJoin = 1;  // the root has no siblings

  using Tables = ContextTables;
  // `used` must outlive the layout.
  void assign(const PartIndex& parts, const UsedSpans& used, RootMode root, Tables& tables);
  // Which spans sweeps build: those that trees use, or all that can be built.
  void choose_used(const UsedSpans& used);
  void choose_possible(const UsedSpans& used);

  int words() const { return words_; }
  std::size_t item_count() const { return item_count_; }
  // Whether its numbers do not fit into a cache of second level.
  COPSE_INLINE bool is_large() const { return item_count_ > (std::size_t{1} << 16); }
  std::size_t weight_count() const { return weight_count_; }
  // Room for the weights of any one arc: those of charts with parents alone are surrounded by a pack.
  std::size_t largest_arc() const { return largest_arc_; }
  const PartIndex& parts() const { return *parts_; }

  // Which lane of a modifier's rows belongs to the head of this arc.
  COPSE_INLINE Offset lane(int arc) const { return under_begin_[arc] - complete_begin_[arcs_[arc].modifier]; }
  int lane_count(int head) const {
    return kParents && head != 0 ? static_cast<int>(parts_->arcs().incoming(head).size()) : 1;
  }

  // Complete spans are laid out [head][end][lane], incomplete ones [arc][lane].
  COPSE_INLINE RowOperand at(const Same& operand) const {
    return {operand.span.kind == SpanKind::complete ? complete_row(operand.span)
                                                    : incomplete_begin_[operand.arc]};
  }
  // Those with siblings follow, [slot][lane].
  COPSE_INLINE RowOperand at(const Augmented& operand) const {
    return {incomplete_begin_[operand.arc] + (operand.slot + 1) * row_size_[operand.span.head()]};
  }
  // Without parents an incomplete span is one number, [arc], and the arc's row has the outermost parts.
  COPSE_INLINE CellOperand at(const Alone& operand) const { return {cell_begin_ + operand.arc}; }
  COPSE_INLINE RowOperand at(const Outermost& operand) const { return {incomplete_begin_[operand.arc]}; }
  COPSE_INLINE CellOperand at(const Under& operand) const {
    return {under_begin_[operand.arc] + operand.span.end() * row_size_[operand.span.head()]};
  }
  // There is a join for each candidate, [arc][slot], as sibling parts are laid out.
  COPSE_INLINE CellOperand at(const Between& operand) const {
    return {join_of_arc_[operand.arc] + operand.slot};
  }
  // With all arcs, the heads that two words have in common are neighbours among the lanes of both. Then the
  // joins of two words are computed as a row, first those under the heads to their right, then those under
  // the heads to their left, and go from there to where they are used.
  COPSE_INLINE bool joins_in_rows() const { return joins_in_rows_; }
  COPSE_INLINE RowOperand join_row(int /*left*/, int /*width*/) const { return {join_row_}; }
  COPSE_INLINE LaneRange join_lanes(int width) const { return {0, round_up_to_pack(words_ - width)}; }
  // Where a join of such a row is used: under a head, of its modifiers at two distances.
  COPSE_INLINE Offset join_under(int head, Side side, Offset near, Offset far) const {
    // Of all arcs, the one to a word at distance d comes after d (d - 1) / 2 sibling parts of its head and
    // side, and the slot of a sibling is its distance.
    return join_base_[2 * head + (side == Side::right ? 1 : 0)] + far * (far - 1) / 2 + near;
  }
  // Weights, [arc][slot][lane] or [arc][pair][lane], without the packs in which no lane is valid: this many
  // lanes per slot or pair. Without parents, [arc][slot].
  Offset weight_begin(int arc) const { return weight_begin_[arc]; }
  Offset weight_row(int arc) const { return weight_row_[arc]; }
  GrandparentRange grandparents(int arc) const {
    if constexpr (kParents) return grandparents_[arc];
    return {0, 1};
  }
  int slots(int arc) const {
    return has_siblings_ ? arc + 1 - outgoing(arcs_[arc].head, ArcSet::side(arcs_[arc])).first : 1;
  }

  // Packs that hold a valid grandparent of a span that is used.
  COPSE_INLINE LaneRange lanes(const Span& span) const {
    if constexpr (kParents) {
      if (row_size_[span.head()] > kPack) return packs_of(parts_->grandparents(span.head(), span.end()));
    }
    return {0, kPack};
  }
  LaneRange lanes_of_arc(int arc) const { return packs_of(grandparents(arc)); }
  COPSE_INLINE ArcSet::Range modifiers(Side side, int head, int /*width*/) const {
    return outgoing(head, side);
  }
  COPSE_INLINE ArcSet::Range inner_siblings(Side side, int head, int /*width*/, int arc) const {
    return {outgoing(head, side).first, arc};
  }
  COPSE_INLINE int distance(Side side, int head, int arc) const {
    const int modifier = arcs_[arc].modifier;
    return side == Side::right ? modifier - head : head - modifier;
  }

  COPSE_INLINE ArcSet::Range outgoing(int head, Side side) const {
    const int* boundary = outgoing_ + 2 * head + (side == Side::right ? 1 : 0);
    return {boundary[0], boundary[1]};
  }
  COPSE_INLINE const Arc& arc(int arc) const { return arcs_[arc]; }
  // What some tree uses. Incomplete spans of other arcs are zero; other complete spans are zero or never
  // read.
  COPSE_INLINE bool is_used(int arc) const { return marks_[arc] >= lowest_mark_; }
  COPSE_INLINE bool is_used(const Span& span) const {
    const int end = span.end();
    const Bits* ends = span.side == Side::right ? right_ends_ : left_ends_;
    return (ends[span.head() * set_size_ + end / kBits] & bit_of(end)) != 0;
  }
  // Words at which used complete spans of a head to its left end, and heads whose used spans to the right end
  // at a word.
  COPSE_INLINE const Bits* left_ends(int head) const { return left_ends_ + head * set_size_; }
  COPSE_INLINE const Bits* right_heads(int end) const { return right_heads_ + end * set_size_; }
  COPSE_INLINE UsedMiddles middles(int left, int width) const {
    return {right_ends_ + left * set_size_, left_ends(left + width), left, left + width};
  }
  COPSE_INLINE bool has_all_spans() const { return has_all_spans_; }

  // Lanes of parents within the span hold numbers that nothing reads. But a single root has one modifier, so
  // that its spans are zero until they cover the sentence.
  COPSE_INLINE bool has_closed_lanes(const Span& span) const {
    return single_root_ && span.head() == 0 && span.width < words_;
  }
  COPSE_INLINE LaneRange open_lanes(const Span& span) const {
    if (span.head() == 0) return {0, single_root_ && span.width < words_ ? 0 : 1};
    if constexpr (kParents) {
      const GrandparentRange range = parts_->grandparents(span.head(), span.end());
      return {range.first, range.last};
    }
    return {0, 1};
  }

  // What sweeps read and do not compute. Wider spans are not read.
  void fill_values(double zero, double one, int widest, double* values) const;
  // Of that, what depends on which spans are chosen.
  void fill_unused(double zero, int widest, double* values) const;

 private:
  COPSE_INLINE static LaneRange packs_of(const GrandparentRange& range) {
    return {range.first / kPack * kPack, round_up_to_pack(range.last)};
  }
  COPSE_INLINE Offset complete_row(const Span& span) const {
    const int head = span.head();
    return complete_begin_[head] + span.end() * row_size_[head];
  }
  const PartIndex* parts_ = nullptr;
  int words_ = 0;
  bool single_root_ = false;
  bool has_all_spans_ = false;
  const std::uint8_t* marks_ = nullptr;
  std::uint8_t lowest_mark_ = 0;
  const Bits* asked_ends_ = nullptr;  // null: any may be
  const Bits* right_ends_ = nullptr;
  const Bits* left_ends_ = nullptr;
  const Bits* right_heads_ = nullptr;
  Offset set_size_ = 0;
  const Arc* arcs_ = nullptr;
  const int* outgoing_ = nullptr;                   // per head and side, plus the end
  const GrandparentRange* grandparents_ = nullptr;  // per arc
  bool has_siblings_ = false;
  const Offset* join_of_arc_ = nullptr;       // per arc: the join of its first slot
  const Offset* row_size_ = nullptr;          // per head: lanes, rounded up
  const Offset* complete_begin_ = nullptr;    // per head
  const Offset* incomplete_begin_ = nullptr;  // per arc
  const Offset* under_begin_ = nullptr;   // per arc: lane of its head in its modifier's first complete row
  const Offset* weight_begin_ = nullptr;  // per arc, plus the end
  const Offset* weight_row_ = nullptr;    // per arc: lanes in the packs with a valid one
  Offset complete_count_ = 0;
  Offset cell_begin_ = 0;
  bool joins_in_rows_ = false;
  Offset join_begin_ = 0;
  Offset join_row_ = 0;
  const Offset* join_base_ = nullptr;  // per head and side: the first join, if they come from rows
  std::size_t item_count_ = 0;
  std::size_t weight_count_ = 0;
  std::size_t largest_arc_ = 0;
};

}  // namespace copse
