#include "text/character_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace copse {
namespace {

// Characters from `first` to `last`, every `step`-th of them, become the character `distance` further on.
struct MappedRange {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t distance;
};

#include "text/character_table.inc"

constexpr char32_t kFrequent = 0x10000;

char32_t mapped(std::span<const MappedRange> ranges, char32_t character) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), character,
                       [](char32_t value, const MappedRange& range) { return value < range.first; });
  if (after == ranges.begin()) return character;
  const MappedRange& range = *std::prev(after);
  if (character > range.last || (character - range.first) % range.step != 0) return character;
  return static_cast<char32_t>(static_cast<std::int32_t>(character) + range.distance);
}

// Runs as they are stored: the length times `factor`, and the value.
template <class Run>
std::vector<Run> decoded(std::span<const std::uint32_t> stored, std::uint32_t factor) {
  std::vector<Run> runs;
  runs.reserve(stored.size());
  char32_t first = 0;
  for (const std::uint32_t run : stored) {
    runs.push_back({first, static_cast<std::uint8_t>(run % factor)});
    first += run / factor;
  }
  return runs;
}

template <class Run>
std::uint8_t value_at(const std::vector<Run>& runs, char32_t character) {
  const auto after = std::upper_bound(runs.begin(), runs.end(), character,
                                      [](char32_t value, const Run& run) { return value < run.first; });
  return std::prev(after)->value;
}

}  // namespace

bool is_written_without_spaces(std::uint8_t script) {
  // ICU's numbers: Bopomofo, Han, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai, Tibetan, Yi.
  constexpr std::array<std::uint8_t, 10> kScriptsWithoutSpaces = {5, 17, 20, 22, 23, 24, 28, 38, 39, 41};
  return std::find(kScriptsWithoutSpaces.begin(), kScriptsWithoutSpaces.end(), script) !=
         kScriptsWithoutSpaces.end();
}

char32_t frozen_lower(char32_t character) { return mapped(kLower, character); }
char32_t frozen_upper(char32_t character) { return mapped(kUpper, character); }

CharacterTraits CharacterTable::find(char32_t character) const {
  const auto kind = static_cast<CharacterClass>(value_at(classes_, character));
  const bool breaks_line = character == U'\n' || character == U'\r';
  return {mapped(kFolded, character), kind, value_at(scripts_, character), breaks_line};
}

CharacterTable::CharacterTable()
    : classes_(decoded<Run>(kClassRuns, 16)), scripts_(decoded<Run>(kScriptRuns, 256)) {
  frequent_.reserve(kFrequent);
  for (char32_t character = 0; character < kFrequent; ++character) frequent_.push_back(find(character));
}

const CharacterTable& CharacterTable::get() {
  static const CharacterTable table;
  return table;
}

}  // namespace copse
