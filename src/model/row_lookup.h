#pragma once

#include <span>
#include <vector>

#include "model/label_rows.h"

namespace copse {

// Sets rows to those of the features that are known. Each step of all look-ups comes before the next one, and
// the memory gets to know early what will be read.
inline void find_rows(const LabelRows& table, std::span<const std::uint64_t> features,
                      std::vector<std::uint32_t>& rows) {
  for (const std::uint64_t feature : features) table.prefetch_bucket(feature);
  for (const std::uint64_t feature : features) table.prefetch_tags(feature);
  rows.clear();
  for (const std::uint64_t feature : features) {
    const std::uint32_t row = table.find(feature);
    if (row == LabelRows::kAbsent) continue;
    table.prefetch_row(row);
    rows.push_back(row);
  }
}

// Leaves in sums[label] what the rows of the features give each candidate. The sums of other labels are of no
// use to anybody.
inline void add_rows(const LabelRows& table, std::span<const std::uint64_t> features,
                     std::span<const Label> candidates, std::vector<std::uint32_t>& rows,
                     std::uint32_t* sums) {
  find_rows(table, features, rows);
  for (const Label label : candidates) sums[label] = 0;
  for (const std::uint32_t row : rows) table.add_to(row, sums);
}

}  // namespace copse
