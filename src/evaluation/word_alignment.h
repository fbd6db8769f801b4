#pragma once

#include <cstdint>
#include <vector>

#include "evaluation/analysed_text.h"

namespace copse {

inline constexpr int64_t kNotAligned = -2;

// For each word of the system the gold word that it is aligned to, or kNotAligned. Both texts must have the
// same characters.
//
// Words that are tokens of their own are aligned when they are the same characters. Where there is a
// multiword token on either side, the words of both sides from there on, until no multiword token reaches
// further, are aligned by a longest common subsequence of their forms in small letters.
std::vector<int64_t> align_words(const AnalysedText& gold, const AnalysedText& system);

}  // namespace copse
