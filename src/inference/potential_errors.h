// Why potentials are refused.
#pragma once

namespace copse {

inline constexpr const char* kBadPotential =
    "a potential is not a number, or above 1e300, the largest that sums over trees have room for";
inline constexpr const char* kOverflow =
    "the potentials are so far below zero that the score of every tree overflows";

}  // namespace copse
