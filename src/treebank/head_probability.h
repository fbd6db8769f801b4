#pragma once

#include <optional>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// The key in MISC under which a parser writes how probable the head of a word is: P=0.9321.
inline constexpr std::string_view kHeadProbabilityKey = "P";

// The same for the label of a word, given its head.
inline constexpr std::string_view kLabelProbabilityKey = "PDEPREL";

// What the MISC column of `word` says; nothing when the key is not there. A value that is no number from 0 to
// 1 is a DataError, without a place.
std::optional<double> head_probability(const Token& word);
std::optional<double> label_probability(const Token& word);

}  // namespace copse
