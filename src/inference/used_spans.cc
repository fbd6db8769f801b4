#include "inference/used_spans.h"

#include <algorithm>

namespace copse {

// Upwards, what can be built; then downwards, what is used by something that is used. Both follow the rules
// of recursion-inl.h, right end by right end as the sweeps do. The spans to the left of one are those of its
// modifiers, and nothing else, so that whole sets are joined; the spans to the right that end in one word are
// found one after the other. kOneNumber: each set is one.
template <bool kOneNumber>
class UsedSpans::Search {
 public:
  Search(UsedSpans& spans, const ArcSet& arcs, std::span<const std::uint8_t> allowed, RootMode root,
         bool siblings)
      : possible_(spans.possible_),
        used_(spans.used_),
        asked_(spans.asked_),
        marks_(spans.marks_.data()),
        arcs_(arcs),
        allowed_(allowed),
        words_(arcs.words()),
        stride_(kOneNumber ? 1 : spans.stride_),
        siblings_(siblings),
        single_root_(root == RootMode::single) {}

  // Whether there is a tree.
  bool run() {
    for (int word = 0; word <= words_; ++word) {
      for (Bits* sets : {possible_.right_ends, possible_.left_ends, possible_.right_heads, used_.right_ends,
                         used_.left_ends}) {
        add(at(sets, word), word);
      }
    }
    for (int right = 1; right <= words_; ++right) {
      build_left_spans(right);
      build_right_spans(right);
    }
    if (contains(at(possible_.right_ends, 0), words_) == 0) return false;
    add(at(used_.right_heads, words_), 0);
    for (int right = words_; right >= 1; --right) {
      use_right_spans(right);
      use_left_spans(right);
    }
    return true;
  }

 private:
  Bits* at(Bits* sets, int word) const { return sets + static_cast<std::ptrdiff_t>(word) * stride_; }
  static int number_of(int word) {
    return kOneNumber ? 0 : static_cast<int>(static_cast<unsigned>(word) / kBits);
  }
  static void add(Bits* set, int word) { set[number_of(word)] |= bit_of(word); }
  // Conditions are numbers, 0 or 1, and not jumps, which no processor could predict.
  static void add_if(auto&& set, int word, Bits condition) {
    set[number_of(word)] |= condition << place_of(word);
  }
  static Bits contains(auto&& set, int word) { return (set[number_of(word)] >> place_of(word)) & 1; }
  // A set at work. One number stays in a register, whatever is written meanwhile.
  class Working {
   public:
    explicit Working(Bits* set) : set_(set), number_(set[0]) {}
    ~Working() {
      if constexpr (kOneNumber) set_[0] = number_;
    }
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;
    Bits& operator[](int i) { return kOneNumber ? number_ : set_[i]; }

   private:
    Bits* set_;
    Bits number_;
  };

  // Calls f(number, places) for the places where spans of two words can meet: the ends of the left word's.
  template <class F>
  void for_each_meeting(int left, int right, F&& f) const {
    const Bits* right_ends = at(possible_.right_ends, left);
    const Bits* left_ends = at(possible_.left_ends, right);
    for (int i = number_of(left); i <= number_of(right - 1); ++i) {
      Bits shifted = left_ends[i] >> 1;
      if (!kOneNumber && number_of(right) > i) shifted |= left_ends[i + 1] << (kBits - 1);
      f(i, right_ends[i] & shifted);
    }
  }
  bool build_arc(int arc, int left, int right) const {
    Bits common = 0;
    for_each_meeting(left, right, [&](int, Bits places) { common |= places; });
    const bool is_possible = common != 0 && (allowed_.empty() || allowed_[arc] != 0);
    marks_[arc] = is_possible ? kPossible : kImpossible;
    return is_possible;
  }
  void build_left_spans(int right) const {
    Bits* ends = at(possible_.left_ends, right);
    const ArcSet::Range arcs = arcs_.outgoing(right, Side::left);
    for (int arc = arcs.first; arc < arcs.last; ++arc) {
      const int modifier = arcs_[arc].modifier;
      if (!build_arc(arc, modifier, right)) continue;
      for (int i = 0; i <= number_of(modifier); ++i) ends[i] |= at(possible_.left_ends, modifier)[i];
    }
  }
  void build_right_spans(int right) const {
    for (const int arc : arcs_.incoming(right)) {
      const int head = arcs_[arc].head;
      if (head > right) break;
      add_if(at(possible_.right_modifiers, head), right, build_arc(arc, head, right) ? 1 : 0);
    }
    Working heads(at(possible_.right_heads, right));
    // A single root has one modifier, so its span has no other end.
    const int last = single_root_ && right < words_ ? 1 : 0;
    for (int head = right - 1; head >= last; --head) {
      const Bits* modifiers = at(possible_.right_modifiers, head);
      Bits terms = 0;
      for (int i = number_of(head); i <= number_of(right); ++i) terms |= modifiers[i] & heads[i];
      const Bits is_possible = terms != 0 ? 1 : 0;
      add_if(heads, head, is_possible);
      add_if(at(possible_.right_ends, head), right, is_possible);
    }
  }

  bool use_meeting(int left, int right) const {
    Bits* right_ends = at(used_.right_ends, left);
    Bits* left_ends = at(used_.left_ends, right);
    Bits common = 0;
    for_each_meeting(left, right, [&](int i, Bits places) {
      right_ends[i] |= places;
      left_ends[i] |= places << 1;
      if (!kOneNumber && number_of(right) > i) left_ends[i + 1] |= places >> (kBits - 1);
      common |= places;
    });
    return common != 0;
  }
  void use_arc(int arc) const {
    marks_[arc] = kUsed;
    const auto [head, modifier] = arcs_[arc];
    if (!siblings_) {
      use_meeting(std::min(head, modifier), std::max(head, modifier));
      return;
    }
    // The sum over siblings begins with none of them, in any case.
    if (modifier > head) {
      add(at(used_.left_ends, modifier), head + 1);
    } else {
      add(at(used_.right_ends, modifier), head - 1);
    }
    if (single_root_ && head == 0) return;
    const int nearest = arcs_.outgoing(head, ArcSet::side(arcs_[arc])).first;
    for (int inner = nearest; inner < arc; ++inner) {
      if (marks_[inner] == kImpossible) continue;
      const int sibling = arcs_[inner].modifier;
      if (use_meeting(std::min(sibling, modifier), std::max(sibling, modifier))) marks_[inner] = kUsed;
    }
  }
  void use_right_spans(int right) const {
    Working heads(at(possible_.right_heads, right));
    Working used_heads(at(used_.right_heads, right));
    for (int head = 0; head < right; ++head) {
      Bits* ends = at(used_.right_ends, head);
      const Bits is_used = contains(used_heads, head) | contains(ends, right);
      add_if(used_heads, head, is_used);
      add_if(ends, right, is_used);
      const Bits mask = -is_used;
      const Bits* modifiers = at(possible_.right_modifiers, head);
      for (int i = number_of(head); i <= number_of(right); ++i) {
        used_heads[i] |= modifiers[i] & heads[i] & mask;
      }
    }
    for (const int arc : arcs_.incoming(right)) {
      const int head = arcs_[arc].head;
      if (head > right) break;
      ask_modifier(arc, at(used_.right_ends, head), possible_.right_ends, used_.right_ends, right, words_);
    }
  }
  void use_left_spans(int right) const {
    const ArcSet::Range arcs = arcs_.outgoing(right, Side::left);
    for (int arc = arcs.last - 1; arc >= arcs.first; --arc) {
      ask_modifier(arc, at(used_.left_ends, right), possible_.left_ends, used_.left_ends, 0,
                   arcs_[arc].modifier);
    }
  }
  // The used spans of a head ask for those of its modifiers with the same ends, which are in [first, last].
  void ask_modifier(int arc, const Bits* ends_of_head, Bits* built, Bits* used, int first, int last) const {
    const int modifier = arcs_[arc].modifier;
    const Bits mask = marks_[arc] == kImpossible ? 0 : ~Bits{0};
    Bits terms = 0;
    for (int i = number_of(first); i <= number_of(last); ++i) {
      Bits ends = ends_of_head[i];
      if (i == number_of(first)) ends &= ~Bits{0} << place_of(first);
      if (i == number_of(last)) ends &= ~Bits{0} >> (kBits - 1 - static_cast<int>(place_of(last)));
      const Bits common = ends & at(built, modifier)[i] & mask;
      at(used, modifier)[i] |= common;
      at(asked_, modifier)[i] |= ends;
      terms |= common;
    }
    if (marks_[arc] == kUsed || terms != 0) use_arc(arc);
  }

  const Sets possible_;
  const Sets used_;
  Bits* const asked_;
  std::uint8_t* const marks_;
  const ArcSet& arcs_;
  const std::span<const std::uint8_t> allowed_;
  const int words_;
  const int stride_;
  const bool siblings_;
  const bool single_root_;
};

void UsedSpans::resize(const ArcSet& arcs) {
  const std::size_t words = static_cast<std::size_t>(arcs.words()) + 1;
  stride_ = static_cast<int>((words + kBits - 1) / kBits);
  const std::size_t size = words * static_cast<std::size_t>(stride_);
  memory_.assign(9 * size, 0);
  asked_ = memory_.data();
  Bits* next = asked_ + size;
  for (Sets* sets : {&possible_, &used_}) {
    for (Bits** table : {&sets->right_ends, &sets->left_ends, &sets->right_heads, &sets->right_modifiers}) {
      *table = next;
      next += size;
    }
  }
  marks_.assign(static_cast<std::size_t>(arcs.size()), kUsed);
}

void UsedSpans::assign_all(const ArcSet& arcs) {
  resize(arcs);
  for (int word = 0; word <= arcs.words(); ++word) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(word) * stride_;
    for (int end = word; end <= arcs.words(); ++end) used_.right_ends[row + end / kBits] |= bit_of(end);
    for (int end = std::min(1, word); end <= word; ++end) used_.left_ends[row + end / kBits] |= bit_of(end);
    for (int head = 0; head <= word; ++head) used_.right_heads[row + head / kBits] |= bit_of(head);
  }
  possible_ = used_;
  has_tree_ = true;
  has_all_arcs_ = true;
}

void UsedSpans::assign(const ArcSet& arcs, std::span<const std::uint8_t> allowed, RootMode root,
                       bool siblings) {
  resize(arcs);
  has_tree_ = stride_ == 1 ? Search<true>(*this, arcs, allowed, root, siblings).run()
                           : Search<false>(*this, arcs, allowed, root, siblings).run();
  has_all_arcs_ = std::all_of(marks_.begin(), marks_.end(), [](std::uint8_t mark) { return mark == kUsed; });
}

}  // namespace copse
