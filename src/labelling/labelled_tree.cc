#include "labelling/labelled_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "copse/error.h"
#include "features/hashing.h"

namespace copse {
namespace {

// Every template has a number of its own, which ends up in model files through the hashes of its features:
// old ones keep theirs, new ones are added at the end. M is the modifier, H its head, G the head's head, P
// and N the modifiers before and after M, S any other modifier of H, C any modifier of M.
enum Template : std::uint64_t {
  kBias = 1,
  kLower,
  kLowerSide,
  kLemma,
  kTagSide,
  kSuffixTag,
  kFeatsTag,
  kHeadLower,
  kHeadLemmaTag,
  kHeadTagSide,
  kTags,
  kCoarseTagsDistance,
  kLowerHeadTag,
  kTagHeadLower,
  kLemmas,
  kLemmaHeadTag,
  kTagHeadLemma,
  kLowers,
  kFeatsPair,
  kFeatsHeadTag,
  kTagHeadFeats,
  kSuffixHeadTag,
  kTagHeadSuffix,
  kTagBefore,
  kTagAfter,
  kLowerBefore,
  kLowerAfter,
  kHeadTagAfter,
  kHeadTagBefore,
  kRank,
  kRanks,
  kEnds,
  kPrevious,
  kPreviousTags,
  kPreviousLower,
  kPreviousLemmas,
  kNext,
  kNextTags,
  kNextLower,
  kNeighbours,
  kSibling,
  kSiblingLemma,
  kSiblingTags,
  kChild,
  kChildTags,
  kChildLowerSide,
  kOuterChildren,
  kChildCounts,
  kGrandparent,
  kGrandparentTags,
  kGrandparentLemma,
  kBetween,
  kKeyTags,
  kKeyTag,
  kFeature,
  kAgreement,
};

constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;

template <class... Atoms>
std::uint64_t feature(std::uint64_t number, Atoms... atoms) {
  std::uint64_t hash = number * kFactor;
  ((hash = mix(hash + static_cast<std::uint64_t>(atoms))), ...);
  return hash;
}

// Relatives beyond these are not looked at: a head may have thousands of modifiers.
constexpr std::ptrdiff_t kMostRelatives = 8;

int distance_class(int distance) {
  if (distance <= 4) return distance;
  return distance <= 7 ? 5 : distance <= 12 ? 6 : 7;
}

}  // namespace

const LabelledTree::Word LabelledTree::kNoWord = {1, 1, 1, 1, 1, 1, false};

void LabelledTree::assign(const Sentence& sentence, std::span<const int> heads, WordReader& reader,
                          bool reads_single_feats) {
  constexpr Word kRoot = {2, 2, 2, 2, 2, 2, false};
  words_.assign(1, kRoot);
  for (const Token& token : sentence.words()) {
    const WordTraits traits = reader.read(token.form());
    // The longest suffix of at most three characters.
    const auto& suffixes = traits.suffixes;
    const std::uint64_t suffix = suffixes[2] != 0   ? suffixes[2]
                                 : suffixes[1] != 0 ? suffixes[1]
                                                    : suffixes[0];
    const std::uint64_t lemma = token.lemma() == "_" ? traits.lower : hash_text(token.lemma());
    words_.push_back({traits.lower, lemma, hash_text(token.upos()), hash_text(token.xpos()),
                      hash_text(token.feats()), suffix, token.upos() == "PUNCT"});
  }
  reads_single_feats_ = reads_single_feats;
  if (reads_single_feats) feats_.assign(sentence);
  sort_modifiers(heads);
}

void LabelledTree::sort_modifiers(std::span<const int> heads) {
  const auto positions = words_.size();
  heads_.assign(1, -1);
  starts_.assign(positions + 1, 0);
  for (const int head : heads.subspan(1)) {
    if (head < kNoHead || head >= static_cast<int>(positions)) {
      throw DataError(fmt::format("word {} cannot have the head {}: there are {} words; mend the tree",
                                  heads_.size(), head, positions - 1));
    }
    heads_.push_back(head);
    if (head != kNoHead) ++starts_[static_cast<std::size_t>(head) + 1];
  }
  for (std::size_t k = 1; k <= positions; ++k) starts_[k] += starts_[k - 1];
  next_.assign(starts_.begin(), starts_.end());
  modifiers_.resize(starts_.back());
  for (std::size_t word = 1; word < positions; ++word) {
    if (heads_[word] == kNoHead) continue;
    modifiers_[next_[static_cast<std::size_t>(heads_[word])]++] = static_cast<int>(word);
  }
}

// Lists the features of one modifier after the other.
class LabelledTree::Observer {
 public:
  Observer(const LabelledTree& tree, int head, SequenceObservations& out)
      : tree_(tree), out_(out), head_(head), siblings_(tree.modifiers(head)), h_(tree.word(head)) {
    const int grandparent = tree.heads_[static_cast<std::size_t>(head)];
    g_ = &tree.word(grandparent);  // none, if the head is the root
  }

  void observe(std::ptrdiff_t rank) {
    modifier_ = siblings_[static_cast<std::size_t>(rank)];
    const Word& m = tree_.word(modifier_);
    side_ = head_ == 0 ? 0 : head_ < modifier_ ? 1 : 2;
    pair_ = feature(m.upos, h_.upos);
    add_words(m);
    add_pair(m);
    out_.end_coarse();
    add_surroundings(m);
    add_siblings(m, rank);
    add_children(m);
    add_grandparent(m);
    out_.end_position({feature(kKeyTags, m.xpos, h_.xpos, side_), feature(kKeyTag, m.upos, side_)});
  }

 private:
  template <class... Atoms>
  void add(Template number, Atoms... atoms) {
    out_.add(feature(number, atoms...));
  }

  void add_words(const Word& m) {
    add(kBias, 0);
    add(kLower, m.lower);
    add(kLowerSide, m.lower, side_);
    add(kLemma, m.lemma);
    add(kTagSide, m.xpos, side_);
    add(kSuffixTag, m.suffix, m.upos);
    add(kFeatsTag, m.feats, m.upos);
    add(kHeadLower, h_.lower);
    add(kHeadLemmaTag, h_.lemma, m.upos);
    add(kHeadTagSide, h_.xpos, side_);
  }

  void add_pair(const Word& m) {
    const int distance = distance_class(std::abs(head_ - modifier_));
    add(kTags, m.xpos, h_.xpos, side_);
    add(kCoarseTagsDistance, pair_, side_, distance);
    add(kLowerHeadTag, m.lower, h_.xpos, side_);
    add(kTagHeadLower, m.xpos, h_.lower, side_);
    add(kLemmas, m.lemma, h_.lemma);
    add(kLemmaHeadTag, m.lemma, h_.upos, side_);
    add(kTagHeadLemma, m.upos, h_.lemma, side_);
    add(kLowers, m.lower, h_.lower);
    add(kFeatsPair, pair_, m.feats, h_.feats);
    add(kFeatsHeadTag, m.feats, h_.upos, side_);
    add(kTagHeadFeats, m.upos, h_.feats, side_);
    add(kSuffixHeadTag, m.suffix, h_.xpos);
    add(kTagHeadSuffix, m.xpos, h_.suffix);
    if (tree_.reads_single_feats_) add_single_feats();
  }

  void add_single_feats() {
    const SingleFeats& feats = tree_.feats_;
    for (int own = feats.begin(modifier_); own < feats.end(modifier_); ++own) {
      add(kFeature, pair_, feats[own].entry, side_);
    }
    add(kAgreement, pair_, feats.agreement(head_, modifier_), side_);
  }

  void add_surroundings(const Word& m) {
    const Word& before = tree_.word(modifier_ - 1);
    const Word& after = tree_.word(modifier_ + 1);
    add(kTagBefore, m.xpos, before.xpos, h_.upos);
    add(kTagAfter, m.xpos, after.xpos, h_.upos);
    add(kLowerBefore, m.upos, before.lower);
    add(kLowerAfter, m.upos, after.lower);
    add(kHeadTagAfter, m.xpos, h_.xpos, tree_.word(head_ + 1).xpos);
    add(kHeadTagBefore, m.xpos, h_.xpos, tree_.word(head_ - 1).xpos);
    int marks = 0;
    const auto [first, last] = std::minmax(head_, modifier_);
    for (int position = first + 1; position < std::min(last, first + 32); ++position) {
      marks += tree_.word(position).is_punctuation ? 1 : 0;
    }
    add(kBetween, pair_, side_, std::min(marks, 3));
  }

  void add_siblings(const Word& m, std::ptrdiff_t rank) {
    const auto count = static_cast<std::ptrdiff_t>(siblings_.size());
    const auto sibling = [&](std::ptrdiff_t k) -> const Word& {
      return k < 0 || k >= count ? kNoWord : tree_.word(siblings_[static_cast<std::size_t>(k)]);
    };
    // How many siblings stand between the modifier and its head.
    const auto first_right = std::lower_bound(siblings_.begin(), siblings_.end(), head_) - siblings_.begin();
    const std::ptrdiff_t inner = side_ == 2 ? first_right - 1 - rank : rank - first_right;
    const std::ptrdiff_t outer = side_ == 2 ? rank : count - 1 - rank;
    add(kRank, pair_, side_, std::min<std::ptrdiff_t>(inner, 3));
    add(kRanks, m.upos, std::min<std::ptrdiff_t>(inner, 3), std::min<std::ptrdiff_t>(outer, 3), side_);
    add(kEnds, m.xpos, h_.xpos, inner == 0, outer == 0);
    const Word& previous = sibling(rank - 1);
    const Word& next = sibling(rank + 1);
    add(kPrevious, pair_, side_, previous.upos);
    add(kPreviousTags, m.xpos, h_.xpos, previous.xpos);
    add(kPreviousLower, m.upos, previous.lower);
    add(kPreviousLemmas, m.lemma, previous.lemma);
    add(kNext, pair_, side_, next.upos);
    add(kNextTags, m.xpos, h_.xpos, next.xpos);
    add(kNextLower, m.upos, next.lower);
    add(kNeighbours, pair_, previous.upos, next.upos);
    const std::ptrdiff_t end = std::min(count, rank + kMostRelatives);
    for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(0, rank - kMostRelatives); k < end; ++k) {
      if (k == rank) continue;
      const Word& s = sibling(k);
      add(kSibling, pair_, s.upos, k < rank);
      add(kSiblingLemma, m.upos, h_.xpos, s.lemma, k < rank);
      add(kSiblingTags, m.xpos, h_.xpos, s.xpos);
    }
  }

  void add_children(const Word& m) {
    const std::span<const int> children = tree_.modifiers(modifier_);
    const auto first_right = std::lower_bound(children.begin(), children.end(), modifier_);
    add(kChildCounts, pair_, std::min<std::ptrdiff_t>(first_right - children.begin(), 3),
        std::min<std::ptrdiff_t>(children.end() - first_right, 3));
    const Word& leftmost = first_right == children.begin() ? kNoWord : tree_.word(children.front());
    const Word& rightmost = first_right == children.end() ? kNoWord : tree_.word(children.back());
    add(kOuterChildren, pair_, leftmost.xpos, rightmost.xpos);
    const auto last = std::min<std::ptrdiff_t>(children.end() - children.begin(), 2 * kMostRelatives);
    for (const int child : children.first(static_cast<std::size_t>(last))) {
      const Word& c = tree_.word(child);
      add(kChild, pair_, c.lemma);
      add(kChildTags, m.xpos, c.xpos, h_.upos);
      add(kChildLowerSide, m.upos, c.lower, side_);
    }
  }

  void add_grandparent(const Word& m) {
    add(kGrandparent, pair_, g_->upos, side_);
    add(kGrandparentTags, m.xpos, h_.xpos, g_->xpos);
    add(kGrandparentLemma, pair_, g_->lemma);
  }

  const LabelledTree& tree_;
  SequenceObservations& out_;
  int head_;
  std::span<const int> siblings_;
  const Word& h_;
  const Word* g_;
  int modifier_ = 0;
  int side_ = 0;
  std::uint64_t pair_ = 0;
};

void LabelledTree::observe(int head, SequenceObservations& observations) const {
  observations.clear(place_of_arc(head));
  Observer observer(*this, head, observations);
  const auto count = static_cast<std::ptrdiff_t>(modifiers(head).size());
  for (std::ptrdiff_t rank = 0; rank < count; ++rank) observer.observe(rank);
}

}  // namespace copse
