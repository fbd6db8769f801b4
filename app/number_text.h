#pragma once

#include <string>

#include "render/number_text.h"

namespace copse {

// 0.98765 as "98.77%".
std::string percent_text(double share);

// A rate per second: "0.53", "7.2", "1,234".
std::string rate(double per_second);

}  // namespace copse
