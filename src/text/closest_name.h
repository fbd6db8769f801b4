#pragma once

#include <span>
#include <string_view>

namespace copse {

// For "did you mean": the name that `given` is most probably a misspelling of, by letters that were left out,
// added, changed or swapped with a neighbour; empty if none is near.
std::string_view closest_name(std::string_view given, std::span<const std::string_view> names);

}  // namespace copse
