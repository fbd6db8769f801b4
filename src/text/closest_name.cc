#include "text/closest_name.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace copse {
namespace {

// The fewest letters to leave out, add, change, or swap with a neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table for the first k, k - 1 and k - 2 letters of a.
  std::array<std::vector<std::size_t>, 3> rows;
  for (std::vector<std::size_t>& row : rows) row.resize(b.size() + 1);
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::rotate(rows.begin(), rows.begin() + 2, rows.end());
    auto& [own, before, two_before] = rows;
    own[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = a[i - 1] == b[j - 1];
      own[j] = std::min({before[j] + 1, own[j - 1] + 1, before[j - 1] + (is_same ? 0U : 1U)});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) own[j] = std::min(own[j], two_before[j - 2] + 1);
    }
  }
  return rows[0][b.size()];
}

}  // namespace

std::string_view closest_name(std::string_view given, std::span<const std::string_view> names) {
  std::string_view closest;
  std::size_t least = std::max<std::size_t>(given.size() / 3, 1) + 1;
  for (const std::string_view name : names) {
    // No need to measure what is far away by its length alone.
    if (given.size() >= name.size() + least || name.size() >= given.size() + least) continue;
    const std::size_t distance = edit_distance(given, name);
    if (distance >= least || distance >= name.size()) continue;
    least = distance;
    closest = name;
  }
  return closest;
}

}  // namespace copse
