#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// Which words count as punctuation, and are not scored. What decides is always the gold word. The fine tag is
// XPOS, or UPOS when there is no XPOS.
enum class Punctuation : uint8_t {
  keep,     // none: everything is scored
  ptb,      // Penn Treebank: the fine tag is one of '' `` : , .
  ctb,      // Chinese Treebank: the fine tag is PU
  ud,       // Universal Dependencies: UPOS is PUNCT
  unicode,  // CoNLL-X: all characters of the form have a general category P* of Unicode
};

// In the order of Punctuation.
inline constexpr std::array<std::string_view, 5> kPunctuationNames = {"keep", "ptb", "ctb", "ud", "unicode"};

bool is_punctuation(const Token& gold, Punctuation convention);

}  // namespace copse
