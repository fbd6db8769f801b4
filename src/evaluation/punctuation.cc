#include "evaluation/punctuation.h"

#include <algorithm>
#include <iterator>

namespace copse {
namespace {

// The bytes of a UTF-8 sequence read as one number, the first byte highest. These numbers are in the same
// order as the code points, so that a text needs no decoding to be looked up.
using PackedCharacter = uint32_t;

struct CharacterRange {
  PackedCharacter first;
  PackedCharacter last;
};

#include "evaluation/punctuation_table.inc"

bool is_punctuation_character(PackedCharacter character) {
  const auto* after = std::upper_bound(
      std::begin(kPunctuation), std::end(kPunctuation), character,
      [](PackedCharacter value, const CharacterRange& range) { return value < range.first; });
  return after != std::begin(kPunctuation) && character <= std::prev(after)->last;
}

// `text` is valid UTF-8, as fields are.
bool is_all_punctuation(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    PackedCharacter character = static_cast<unsigned char>(text[position++]);
    while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0U) == 0x80U) {
      character = (character << 8U) | static_cast<unsigned char>(text[position++]);
    }
    if (!is_punctuation_character(character)) return false;
  }
  return true;
}

std::string_view fine_tag(const Token& word) { return word.xpos() == "_" ? word.upos() : word.xpos(); }

}  // namespace

bool is_punctuation(const Token& gold, Punctuation convention) {
  switch (convention) {
    case Punctuation::keep:
      break;
    case Punctuation::ptb: {
      constexpr std::array<std::string_view, 5> kTags = {"''", "``", ":", ",", "."};
      return std::find(kTags.begin(), kTags.end(), fine_tag(gold)) != kTags.end();
    }
    case Punctuation::ctb:
      return fine_tag(gold) == "PU";
    case Punctuation::ud:
      return gold.upos() == "PUNCT";
    case Punctuation::unicode:
      return is_all_punctuation(gold.form());
  }
  return false;
}

}  // namespace copse
