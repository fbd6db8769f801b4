#include "render/probability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace copse {
namespace {

// Sums of many terms do not end exactly in 0 or 1.
constexpr double kRounding = 1e-9;
constexpr double kCoinToss = 0.5;

}  // namespace

std::string percent(double probability) {
  if (probability <= kRounding) return "0%";
  if (probability >= 1.0 - kRounding) return "100%";
  const long rounded = std::lround(100.0 * probability);
  if (rounded == 0) return "<1%";
  if (rounded == 100) return ">99%";
  return fmt::format("{}%", rounded);
}

std::string bar(double probability, int columns, bool unicode) {
  constexpr std::array<std::string_view, 8> kEighths = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double filled = std::clamp(probability, 0.0, 1.0) * columns;
  std::string out;
  if (!unicode) {
    const auto whole = static_cast<int>(std::lround(filled));
    return out.append(static_cast<size_t>(whole), '#').append(static_cast<size_t>(columns - whole), '.');
  }
  const long eighths = std::lround(8.0 * filled);
  for (int column = 0; column < columns; ++column) {
    const long in_column = std::clamp(eighths - 8L * column, 0L, 8L);
    out += in_column == 8 ? "█" : kEighths[static_cast<size_t>(in_column)];
  }
  return out;
}

Style confidence_style(double probability, double doubt_below) {
  if (probability >= doubt_below) return Style::plain;
  return probability < kCoinToss ? Style::red : Style::yellow;
}

}  // namespace copse
