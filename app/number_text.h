#pragma once

#include <string>

#include "render/number_text.h"

namespace copse {

// 0.98765 as "98.77%".
std::string percent_text(double share);

// "0.4 s", "38 s", "4:05 min", "1:02:03 h".
std::string duration(double seconds);

// A rate per second: "0.53", "7.2", "1,234".
std::string rate(double per_second);

}  // namespace copse
