#include "render/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace copse {

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (int position = static_cast<int>(digits.size()) - 3; position > 0; position -= 3) {
    digits.insert(static_cast<size_t>(position), ",");
  }
  return digits;
}

std::string counted(int64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", grouped(number), singular, number == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string percent_text(double share) { return fmt::format("{:.2f}%", 100.0 * share); }

std::string rate(double per_second) {
  if (per_second < 1.0) return fmt::format("{:.2f}", per_second);
  if (per_second < 10.0) return fmt::format("{:.1f}", per_second);
  return grouped(std::llround(per_second));
}

}  // namespace copse
