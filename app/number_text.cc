#include "number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace copse {

std::string percent_text(double share) { return fmt::format("{:.2f}%", 100.0 * share); }

std::string rate(double per_second) {
  if (per_second < 1.0) return fmt::format("{:.2f}", per_second);
  if (per_second < 10.0) return fmt::format("{:.1f}", per_second);
  return grouped(std::llround(per_second));
}

}  // namespace copse
