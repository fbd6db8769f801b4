#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/bytes.h"
#include "model/label_rows.h"

namespace copse {

// Which labels something may have at all: those that training data has under the most specific of its keys
// that is known.
struct CandidateLabels {
  static constexpr std::uint64_t kNoKey = 0;

  LabelRows lists;            // by key; without weights
  std::vector<Label> others;  // where no key has a list

  // The list of the first known key. Never empty.
  std::span<const Label> find(std::span<const std::uint64_t> keys) const { return list(find_row(keys)); }
  // The same in two steps.
  std::uint32_t find_row(std::span<const std::uint64_t> keys) const {
    for (const std::uint64_t key : keys) {
      if (key == kNoKey) continue;
      const std::uint32_t row = lists.find(key);
      if (row != LabelRows::kAbsent) return row;
    }
    return LabelRows::kAbsent;
  }
  std::span<const Label> list(std::uint32_t row) const {
    return row == LabelRows::kAbsent ? std::span<const Label>(others) : lists.labels(row);
  }

  void save(ByteWriter& writer) const;
  // Labels must be below `labels`.
  static CandidateLabels load(ByteReader& reader, int labels);
};

}  // namespace copse
