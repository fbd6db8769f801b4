#pragma once

#include <array>

namespace copse::bench {

// How many sentences of each length 1..100 the training part of the English Web Treebank (UD 2.15) has. The
// throughput figures are means over this distribution: 16.3 words, E[n^3] = 14,104, E[n^4] = 607,068.
inline constexpr std::array<int, 100> kSentenceLengths = {
    521, 625, 491, 368, 419, 446, 435, 430, 455, 471, 488, 475, 421, 438, 443, 409, 379, 373, 351, 356,
    300, 314, 313, 256, 213, 216, 177, 180, 181, 135, 136, 111, 119, 100, 78,  76,  87,  71,  77,  57,
    54,  60,  37,  34,  32,  21,  22,  32,  23,  23,  18,  25,  11,  12,  11,  7,   11,  7,   8,   11,
    4,   10,  2,   4,   5,   11,  3,   8,   1,   5,   4,   4,   2,   4,   1,   4,   2,   0,   1,   1,
    1,   0,   1,   0,   2,   0,   0,   1,   2,   1,   1,   0,   0,   0,   2,   0,   1,   0,   1,   0};

}  // namespace copse::bench
