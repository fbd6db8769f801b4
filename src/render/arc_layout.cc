#include "render/arc_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace copse {
namespace {

constexpr double kWordGap = 14.0;
constexpr double kEndGap = 6.0;  // between the ends of arcs at one word
constexpr double kLabelMargin = 10.0;

// How wide the words are and how far apart; entry 0 is ignored. Who makes room only adds to it.
struct Spacing {
  explicit Spacing(std::span<const double> word_widths)
      : widths(word_widths.begin(), word_widths.end()), gaps(word_widths.size(), kWordGap) {}
  std::vector<double> widths;
  std::vector<double> gaps;  // before each word
};

class ArcLayouter {
 public:
  ArcLayouter(std::span<const int> heads, std::span<const double> label_widths)
      : heads_(heads), label_widths_(label_widths), offsets_(heads.size(), 0.0) {
    for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
      if (heads[word] > 0) shortest_first_.push_back(word);
    }
    std::stable_sort(shortest_first_.begin(), shortest_first_.end(),
                     [this](int a, int b) { return length(a) < length(b); });
  }

  void make_room(Spacing& spacing) {
    place_ends(spacing.widths);
    make_room_for_labels(spacing);
  }

  ArcLayout lay_out(const Spacing& spacing) {
    place_words(spacing);
    place_arcs();
    return std::move(layout_);
  }

 private:
  int length(int modifier) const { return std::abs(heads_[modifier] - modifier); }
  int left(int modifier) const { return std::min(heads_[modifier], modifier); }
  int right(int modifier) const { return std::max(heads_[modifier], modifier); }

  // Of the arcs that leave a word on one side the longest starts nearest to its middle, where the arc from
  // its own head ends: none has to cross another.
  void place_ends(std::vector<double>& widths) {
    std::vector<int> to_left(heads_.size(), 0);
    std::vector<int> to_right(heads_.size(), 0);
    for (size_t k = shortest_first_.size(); k-- > 0;) {
      const int modifier = shortest_first_[k];
      const int head = heads_[modifier];
      const bool goes_right = modifier > head;
      const int rank = ++(goes_right ? to_right : to_left)[head];
      offsets_[modifier] = goes_right ? rank * kEndGap : -rank * kEndGap;
    }
    for (size_t word = 1; word < heads_.size(); ++word) {
      const int ends = std::max(to_left[word], to_right[word]);
      widths[word] = std::max(widths[word], (2 * ends + 1) * kEndGap);
      if (heads_[word] == 0) widths[word] = std::max(widths[word], label_widths_[word]);
    }
  }

  // Moves the words between the ends of an arc apart, all alike.
  void make_room_for_labels(Spacing& spacing) const {
    for (const int modifier : shortest_first_) {
      if (label_widths_[modifier] == 0.0) continue;
      double distance = (spacing.widths[left(modifier)] + spacing.widths[right(modifier)]) / 2 -
                        std::abs(offsets_[modifier]);
      for (int word = left(modifier) + 1; word <= right(modifier); ++word) {
        distance += spacing.gaps[word] + (word < right(modifier) ? spacing.widths[word] : 0.0);
      }
      const double missing = label_widths_[modifier] + kLabelMargin - distance;
      if (missing <= 0.0) continue;
      for (int word = left(modifier) + 1; word <= right(modifier); ++word) {
        spacing.gaps[word] += missing / length(modifier);
      }
    }
  }

  void place_words(const Spacing& spacing) {
    layout_.centres.resize(heads_.size());
    for (size_t word = 1; word < heads_.size(); ++word) {
      if (word > 1) layout_.width += spacing.gaps[word];
      layout_.centres[word] = layout_.width + spacing.widths[word] / 2;
      layout_.width += spacing.widths[word];
    }
  }

  // Shorter arcs first, so that each finds the height of all that it has to lie above.
  void place_arcs() {
    layout_.arcs.resize(heads_.size());
    std::vector<int> heights(heads_.size() + 1, 0);  // over the gap before each word, and after the last
    const auto place = [&](int modifier, int first_gap, int last_gap) {
      const auto begin = heights.begin() + first_gap;
      const auto end = heights.begin() + last_gap + 1;
      const int level = 1 + *std::max_element(begin, end);
      std::fill(begin, end, level);
      const double start =
          heads_[modifier] > 0 ? layout_.centres[heads_[modifier]] : layout_.centres[modifier];
      layout_.arcs[modifier] = {start + offsets_[modifier], layout_.centres[modifier], level};
      layout_.levels = std::max(layout_.levels, level);
    };
    for (const int modifier : shortest_first_) place(modifier, left(modifier) + 1, right(modifier));
    for (int word = 1; word < static_cast<int>(heads_.size()); ++word) {
      if (heads_[word] == 0) place(word, word, word + 1);
    }
  }

  std::span<const int> heads_;
  std::span<const double> label_widths_;
  std::vector<double> offsets_;  // by modifier: from the middle of the head to the start of the arc
  std::vector<int> shortest_first_;
  ArcLayout layout_;
};

}  // namespace

ArcLayout lay_out_arcs(std::span<const int> heads, std::span<const double> word_widths,
                       std::span<const double> label_widths) {
  Spacing spacing(word_widths);
  ArcLayouter layouter(heads, label_widths);
  layouter.make_room(spacing);
  return layouter.lay_out(spacing);
}

TwoSidedLayout lay_out_two_sides(std::span<const double> word_widths, const ArcSide& above,
                                 const ArcSide& below) {
  Spacing spacing(word_widths);
  ArcLayouter upper(above.heads, above.label_widths);
  ArcLayouter lower(below.heads, below.label_widths);
  upper.make_room(spacing);
  lower.make_room(spacing);
  return {upper.lay_out(spacing), lower.lay_out(spacing)};
}

}  // namespace copse
