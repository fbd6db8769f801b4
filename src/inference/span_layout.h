// Charts without grandparents: one row of numbers per kind of span and width, with the spans of that width
// side by side by their left end. A rule then runs over all spans of a width at once, and the inner loops
// need neither gathers nor horizontal sums. Arcs that are no candidates have weight zero.
#pragma once

#include <cstddef>
#include <vector>

#include "copse/inference/part_index.h"
#include "inference/span.h"

namespace copse {

// Lanes are processed in packs; rows have room for whole packs. 8 doubles fill the widest vectors.
inline constexpr std::ptrdiff_t kPack = 8;
constexpr std::ptrdiff_t round_up_to_pack(std::ptrdiff_t n) { return (n + kPack - 1) / kPack * kPack; }

class SpanLayout {
 public:
  using Offset = std::ptrdiff_t;
  static constexpr Contexts kItemContexts = Contexts::none;
  // J(h, m) without siblings is the same for both directions.
  static constexpr bool kSharedJoins = true;
  static constexpr int kFirstJoin = 0;  // the leftmost word of a join

  // See ContextLayout::Tables.
  struct Tables {
    std::vector<Offset> weight_begin;
  };
  void assign(const PartIndex& parts, RootMode root, Tables& tables);

  int words() const { return words_; }
  std::size_t item_count() const { return 5 * rows_; }
  std::size_t weight_count() const { return weight_count_; }

  // Where rows begin. All spans of a width share a row, so `span.left` is an index into it.
  COPSE_INLINE Offset offset(const Span& span) const {
    const int array = span.kind == SpanKind::join
                          ? 4
                          : 2 * static_cast<int>(span.kind) + (span.side == Side::right ? 0 : 1);
    return static_cast<Offset>(array * rows_) + span.width * stride_ + span.left;
  }
  COPSE_INLINE bool joins_in_rows() const { return true; }
  COPSE_INLINE RowOperand join_row(int left, int width) const { return {offset(join_span(left, width))}; }
  COPSE_INLINE LaneRange join_lanes(int width) const { return lanes(join_span(0, width)); }
  COPSE_INLINE RowOperand at(const Same& operand) const { return {offset(operand.span)}; }
  COPSE_INLINE RowOperand at(const Under& operand) const { return {offset(operand.span)}; }
  COPSE_INLINE RowOperand at(const Between& operand) const { return {offset(operand.span)}; }
  // Weights [side][width][slot][left end].
  COPSE_INLINE Offset weight(Side side, int head, int width, int slot) const {
    return (side == Side::right ? 0 : static_cast<Offset>(weight_count_ / 2)) + weight_begin_[width] +
           slot * weight_stride(width) + (side == Side::right ? head : head - width);
  }

  COPSE_INLINE LaneRange lanes(const Span& span) const {
    return {0, round_up_to_pack(words_ + 1 - span.width)};
  }
  COPSE_INLINE bool is_used(int /*arc*/) const { return true; }
  COPSE_INLINE bool is_used(const Span& /*span*/) const { return true; }
  COPSE_INLINE AllMiddles middles(int /*left*/, int width) const { return {width}; }
  // Arcs are named by their distance here.
  COPSE_INLINE ArcSet::Range modifiers(Side /*side*/, int /*head*/, int width) const {
    return {1, width + 1};
  }
  COPSE_INLINE ArcSet::Range inner_siblings(Side /*side*/, int /*head*/, int width, int /*arc*/) const {
    return {1, width};
  }
  COPSE_INLINE int distance(Side /*side*/, int /*head*/, int arc) const { return arc; }

  // Whether some of these lanes of a complete span must stay zero, and which ones need not: [first, last).
  // With a single root, the root's span with one modifier is of use only when it covers the sentence.
  COPSE_INLINE bool has_closed_lanes(const Span& span) const {
    return single_root_ && span.side == Side::right && span.width < words_;
  }
  COPSE_INLINE LaneRange open_lanes(const Span& /*span*/) const { return {1, stride_}; }

  void fill_values(double zero, double one, int widest, double* values) const;
  void fill_unused(double /*zero*/, int /*widest*/, double* /*values*/) const {}
  COPSE_INLINE Offset weight_stride(int width) const { return round_up_to_pack(words_ + 1 - width); }
  int slots(int width) const { return has_siblings(parts_->factorization()) ? width : 1; }
  const PartIndex& parts() const { return *parts_; }
  // Room for one number per word, read in whole packs from any of them.
  static std::size_t padded_words(int words) { return static_cast<std::size_t>(words + 2 * kPack); }

 private:
  const PartIndex* parts_ = nullptr;
  int words_ = 0;
  bool single_root_ = false;
  Offset stride_ = 0;
  std::size_t rows_ = 0;  // numbers per kind and side
  std::size_t weight_count_ = 0;
  const Offset* weight_begin_ = nullptr;  // per width
};

}  // namespace copse
