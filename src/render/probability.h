#pragma once

#include <string>

#include "render/style.h"

namespace copse {

// A whole number of percent in at most four columns. Only certainty is written 100% and only the impossible
// 0%: between them and the next numbers come >99% and <1%.
std::string percent(double probability);

// A bar `columns` wide, filled from the left up to `probability`.
std::string bar(double probability, int columns, bool unicode);

// How sure a probability is: plain from `doubt_below` on, yellow below it, red below one half.
Style confidence_style(double probability, double doubt_below);

}  // namespace copse
