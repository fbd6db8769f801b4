#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/bytes.h"
#include "model/label_rows.h"
#include "model/root_labels.h"

namespace copse {

// Which labels something may have at all: those that training data has under the most specific of its keys
// that is known.
class CandidateLabels {
 public:
  static constexpr std::uint64_t kNoKey = 0;

  LabelRows lists;            // by key; without weights
  std::vector<Label> others;  // where no key has a list

  // From now on, find() leaves out what may not stand in a place, or returns all that may if nothing else is
  // left. Not saved.
  void restrict(const RootLabels& root, std::size_t labels);

  // The list of the first known key. Never empty.
  std::span<const Label> find(std::span<const std::uint64_t> keys,
                              ArcPlace place = ArcPlace::anywhere) const {
    const std::uint32_t row = find_row(keys);
    return place == ArcPlace::anywhere || root_.starts.empty() ? list(row) : restricted(row, place);
  }
  // The same in two steps, for any place.
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

 private:
  // The lists of a place: of all rows, and at last that of the others.
  struct Lists {
    std::vector<Label> labels;
    std::vector<std::size_t> starts;  // and the end
  };
  Lists lists_for(const RootLabels& root, ArcPlace place, std::size_t labels) const;
  std::span<const Label> restricted(std::uint32_t row, ArcPlace place) const {
    const Lists& of_place = place == ArcPlace::at_root ? root_ : inside_;
    const std::size_t at = row == LabelRows::kAbsent ? lists.rows() : row;
    return std::span(of_place.labels)
        .subspan(of_place.starts[at], of_place.starts[at + 1] - of_place.starts[at]);
  }

  Lists root_;  // none without restrictions
  Lists inside_;
};

}  // namespace copse
