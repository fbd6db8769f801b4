#include <algorithm>

#include "segmentation/slots.h"
#include "segmentation/text_features.h"

namespace copse {
namespace {

// Every template has a number of its own, which ends up in model files through the hashes of its features:
// old ones keep theirs, new ones are added at the end.
enum Template : std::uint64_t {
  kGap = 1,                      // what is between the characters: nothing, space, a line break
  kCharacterAt,                  // and the next five: -3 to 2
  kBigramAt = kCharacterAt + 6,  // and the next three: -2 to 1
  kBigramAround = kBigramAt + 4,
  kTrigramAt,  // and the next two
  kKindsNear = kTrigramAt + 3,
  kKindsFar,
  kKindsAndBefore,
  kKindsAndAfter,
  kEqual,
  kUnitBefore,
  kUnitAfter,
  kCoreBefore,
  kCoreAfter,
  kShapeBefore,
  kShapeAfter,
  kShapes,
  kLastAndFirst,
  kLastAndKnown,
  kLastAndCore,
  kUnitAndFirst,
  kCoreAndLast,
  kUnits,
  kUnitAfterThat,
  kUnitBeforeThat,
  kUnitsAfter,
  kShapesAfter,
  kShapesBefore,
  kLength,
  kUnitAndPlace,
  kShapeAndPlace,
  kLeft,
  kRight,
  kLeftShape,
  kRightShape,
  kKnownParts,
  kKnownPartsAndCharacters,
  kLeftAndNext,
  kRightAndNext,
  kRightAndKnown,
  kWholeKnown,
  kMatchFrom,
  kMatchTo,
  kMatchAround,
  kMatches,
  kMatchAroundAndCharacters,
  kMatchFromAndBefore,
  kMatchToAndAfter,
  kKeyKinds,
  kKeyGap,
};

constexpr int kLongestMatch = 8;  // characters
constexpr int kLongestPart = 24;  // characters; parts of long units tell nothing

std::uint64_t number(CharacterClass kind) { return static_cast<std::uint64_t>(kind); }

enum Gap : std::uint64_t { kNothing, kSpace, kSeveralSpaces, kLineBreak };

}  // namespace

const SlotReader::Unit& SlotReader::unit(int number) const {
  static constexpr Unit kNone{-1, 0, false, 1, 1, 1, -1, 0, 0};
  const bool is_inside = number >= 0 && number < static_cast<int>(units_.size());
  return is_inside ? units_[static_cast<std::size_t>(number)] : kNone;
}

// Known tokens at all places, for scripts in which nothing else says where words end.
void SlotReader::match_words() {
  const TextRow& row = *row_;
  const auto size = static_cast<std::size_t>(row.size()) + 1;
  longest_from_.assign(size, 0);
  longest_to_.assign(size, 0);
  longest_around_.assign(size, 0);
  for (int begin = 0; begin < row.size(); ++begin) {
    TextHash hash;
    for (int end = begin; end < std::min(begin + kLongestMatch, row.size()) && !row.is_space(end); ++end) {
      hash.add(row[end].folded);
      if ((rules_->words.find(hash.value()) & kKnownToken) == 0) continue;
      const auto length = static_cast<std::uint8_t>(end + 1 - begin);
      longest_from_[static_cast<std::size_t>(begin)] = length;
      const auto raise = [length](std::uint8_t& longest) { longest = std::max(longest, length); };
      raise(longest_to_[static_cast<std::size_t>(end) + 1]);
      for (int k = begin + 1; k <= end; ++k) raise(longest_around_[static_cast<std::size_t>(k)]);
    }
  }
}

void SlotReader::observe(SequenceObservations& out) {
  const TextRow& row = *row_;
  out.clear();
  if (has_dense_) match_words();
  for (const int slot : slots_) {
    add_characters(slot, out);
    const int number = unit_of_[static_cast<std::size_t>(slot)];
    if (unit(number).begin < slot)
      add_inside_unit(slot, number, out);
    else
      add_units_around(slot, number, out);
    if (has_dense_) add_matches(slot, out);
    const Gap gap = row.is_space(slot - 1) ? kSpace : kNothing;
    const CharacterClass before = row[gap == kSpace ? slot - 2 : slot - 1].kind;
    // Only data can say that there are tokens with space inside.
    const std::uint64_t general = gap == kSpace ? text_feature(kKeyGap, gap) : SequenceObservations::kNoKey;
    out.end_position(
        {text_feature(kKeyKinds, gap, copse::number(before), copse::number(row[slot].kind)), general});
  }
}

void SlotReader::add_characters(int slot, SequenceObservations& out) const {
  const TextRow& row = *row_;
  const auto at = [&row, slot](int k) -> std::uint64_t { return row[slot + k].folded; };
  const auto kind = [&row, slot](int k) { return number(row[slot + k].kind); };
  // Training data may have no space but plain one: all others are that, too, and something more.
  const TextRow::Character& gap = row[slot - 1];
  const bool has_space = gap.kind == CharacterClass::space;
  out.add(text_feature(kGap, has_space ? kSpace : kNothing));
  if (has_space && !gap.is_plain_space)
    out.add(text_feature(kGap, gap.breaks_line ? kLineBreak : kSeveralSpaces));
  for (int k = -3; k <= 2; ++k)
    out.add(text_feature(kCharacterAt + static_cast<std::uint64_t>(k + 3), at(k)));
  for (int k = -2; k <= 1; ++k) {
    out.add(text_feature(kBigramAt + static_cast<std::uint64_t>(k + 2), pack_two(at(k), at(k + 1))));
  }
  out.add(text_feature(kBigramAround, pack_two(at(-1), at(1))));
  for (int k = -2; k <= 0; ++k) {
    out.add(
        text_feature(kTrigramAt + static_cast<std::uint64_t>(k + 2), pack_two(at(k), at(k + 1)), at(k + 2)));
  }
  const std::uint64_t near = kind(-2) << 12 | kind(-1) << 8 | kind(0) << 4 | kind(1);
  out.add(text_feature(kKindsNear, near));
  out.add(text_feature(kKindsFar, kind(-3) << 20 | near << 4 | kind(2)));
  out.add(text_feature(kKindsAndBefore, near, at(-1)));
  out.add(text_feature(kKindsAndAfter, near, at(0)));
  const std::uint64_t equal =
      (at(-1) == at(0) ? 1U : 0U) | (at(-2) == at(0) ? 2U : 0U) | (at(-1) == at(1) ? 4U : 0U);
  if (equal != 0) out.add(text_feature(kEqual, equal, kind(0)));
}

// The slot is between two units.
void SlotReader::add_units_around(int slot, int unit_number, SequenceObservations& out) const {
  const TextRow& row = *row_;
  const Unit& before = unit(unit_number - 1);
  const Unit& after = unit(unit_number);
  if (before.is_dense && after.is_dense) return;
  const Unit& after_that = unit(unit_number + 1);
  const Unit& before_that = unit(unit_number - 2);
  const bool has_space = row.is_space(slot - 1);
  const std::uint64_t last = pack_two(row[before.end - 1].folded, has_space ? 1 : 0);
  const std::uint64_t first = number(row[slot].kind) << 8 | number(row[after.core_begin].kind);
  const std::uint64_t known = first << 8 | after.core_known;
  out.add(text_feature(kUnitBefore, before.hash));
  out.add(text_feature(kUnitAfter, after.hash));
  out.add(text_feature(kCoreBefore, before.core));
  out.add(text_feature(kCoreAfter, after.core));
  out.add(text_feature(kShapeBefore, before.shape));
  out.add(text_feature(kShapeAfter, after.shape));
  out.add(text_feature(kShapes, before.shape, after.shape));
  out.add(text_feature(kLastAndFirst, last, first));
  out.add(text_feature(kLastAndKnown, last, known));
  out.add(text_feature(kLastAndCore, last, after.core, number(row[after.core_begin].kind)));
  out.add(text_feature(kUnitAndFirst, before.hash, first));
  out.add(text_feature(kCoreAndLast, before.core, last));
  out.add(text_feature(kUnits, before.hash, after.hash));
  out.add(text_feature(kUnitAfterThat, after_that.core));
  out.add(text_feature(kUnitBeforeThat, before_that.core));
  out.add(text_feature(kUnitsAfter, after.core, after_that.core));
  out.add(text_feature(kShapesAfter, after.shape, after_that.shape));
  out.add(text_feature(kShapesBefore, before_that.shape, before.shape, first));
  out.add(text_feature(kLength, static_cast<std::uint64_t>(std::min(before.end - before.begin, 8)), last));
}

// The slot is between two characters of a unit.
void SlotReader::add_inside_unit(int slot, int unit_number, SequenceObservations& out) const {
  const TextRow& row = *row_;
  const Unit& whole = unit(unit_number);
  const Unit& next = unit(unit_number + 1);
  const auto place = static_cast<std::uint64_t>(slot - whole.begin);
  const auto place_from_end = static_cast<std::uint64_t>(whole.end - slot);
  const std::uint64_t following =
      number(row[next.begin].kind) << 16 | number(row[next.core_begin].kind) << 8 | next.core_known;
  out.add(text_feature(kUnitAndPlace, whole.hash, place));
  out.add(text_feature(kShapeAndPlace, whole.shape, place, place_from_end));
  out.add(text_feature(kWholeKnown, whole.known, std::min<std::uint64_t>(place_from_end, 3)));
  TextHash left;
  TextHash right;
  std::uint64_t left_shape = 0;
  std::uint64_t right_shape = 0;
  for (int k = std::max(whole.begin, slot - kLongestPart); k < slot; ++k) {
    left.add(row[k].folded);
    if (row[k].kind != row[k - 1].kind || k == whole.begin)
      left_shape = mix(left_shape + number(row[k].kind) + 1);
  }
  for (int k = slot; k < std::min(whole.end, slot + kLongestPart); ++k) {
    right.add(row[k].folded);
    if (row[k].kind != row[k - 1].kind || k == slot) right_shape = mix(right_shape + number(row[k].kind) + 1);
  }
  out.add(text_feature(kLeft, left.value()));
  out.add(text_feature(kRight, right.value()));
  out.add(text_feature(kLeftShape, left_shape, row[slot].folded));
  out.add(text_feature(kRightShape, right_shape, row[slot - 1].folded));
  const std::uint64_t parts = static_cast<std::uint64_t>(rules_->words.find(left.value()) & 7) << 16 |
                              static_cast<std::uint64_t>(rules_->words.find(right.value()) & 7) << 8 |
                              (whole.known & 7U);
  out.add(text_feature(kKnownParts, parts, pack_two(row[slot - 1].folded, row[slot].folded)));
  out.add(text_feature(kKnownPartsAndCharacters, parts,
                       number(row[slot - 1].kind) << 8 | number(row[slot].kind)));
  out.add(text_feature(kLeftAndNext, left.value(), following));
  out.add(text_feature(kRightAndNext, right.value(), following));
  out.add(text_feature(kRightAndKnown, right.value(), parts));
}

void SlotReader::add_matches(int slot, SequenceObservations& out) const {
  const TextRow& row = *row_;
  const auto k = static_cast<std::size_t>(slot);
  const std::uint64_t from = longest_from_[k];
  const std::uint64_t to = longest_to_[k];
  const std::uint64_t around = longest_around_[k];
  const std::uint64_t all = from << 16 | to << 8 | around;
  out.add(text_feature(kMatchFrom, from));
  out.add(text_feature(kMatchTo, to));
  out.add(text_feature(kMatchAround, around));
  out.add(text_feature(kMatches, all));
  out.add(text_feature(kMatchAroundAndCharacters, around, pack_two(row[slot - 1].folded, row[slot].folded)));
  out.add(text_feature(kMatchFromAndBefore, from, row[slot].folded));
  out.add(text_feature(kMatchToAndAfter, to, row[slot - 1].folded));
}

}  // namespace copse
