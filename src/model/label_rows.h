#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/bytes.h"
#include "memory/large_pages.h"

namespace copse {

using Label = std::uint16_t;
inline constexpr int kMostLabels = 65'000;

// Which labels the words of a sentence may have, by word: n + 1 lists, of which an empty one means any label.
// No lists at all: nothing is known.
using AllowedLabels = std::span<const std::span<const Label>>;

// What quantised weights may be multiples of: they and sums of them then stay far from the limits of floats.
inline bool is_usable_unit(double unit) { return unit >= 1e-30 && unit <= 1e6; }

// A short list of labels with a weight each, for every known feature. Weights are small integers, multiples
// of one unit.
//
// Made to be small, in memory and in files. A feature is known by the bucket that the highest bits of its
// hash say, of which there are as many as features, and by the lowest 16 bits. An absent feature is taken for
// a known one about once in 65,000 times; of two known features that look alike, the one with the shorter row
// is left out.
class LabelRows {
 public:
  struct Entry {
    std::uint64_t feature;
    Label label;
    float weight;
  };
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

  LabelRows() : LabelRows({}, 1.0) {}
  // Entries in any order, each feature and label at most once. Weights that round to zero units are left out,
  // those beyond 127 units are cut.
  LabelRows(std::vector<Entry> entries, double unit);
  // Rows of labels alone: zero weights are kept.
  static LabelRows of_labels(std::vector<Entry> entries);

  double unit() const { return unit_; }
  std::size_t rows() const { return tags_.size(); }
  std::size_t entries() const { return labels_.size(); }

  // Look-ups in steps, so that a batch of them waits for the memory together.
  void prefetch_bucket(std::uint64_t feature) const { __builtin_prefetch(buckets_.data() + bucket(feature)); }
  void prefetch_tags(std::uint64_t feature) const {
    const std::uint32_t first = buckets_[bucket(feature)];
    // The last buckets may be empty: then this is the end of the list, of which no element may be named.
    __builtin_prefetch(tags_.data() + first);
    __builtin_prefetch(starts_.data() + first);
  }
  // The number of the row, or kAbsent.
  std::uint32_t find(std::uint64_t feature) const {
    const std::size_t home = bucket(feature);
    const auto tag = static_cast<std::uint16_t>(feature);
    for (std::uint32_t row = buckets_[home]; row < buckets_[home + 1]; ++row) {
      if (tags_[row] == tag) return row;
    }
    return kAbsent;
  }
  void prefetch_row(std::uint32_t row) const {
    __builtin_prefetch(labels_.data() + starts_[row]);
    __builtin_prefetch(weights_.data() + starts_[row]);
  }
  std::span<const Label> labels(std::uint32_t row) const {
    return {labels_.data() + starts_[row], starts_[row + 1] - starts_[row]};
  }
  // Calls use(label, weight in units) for the entries of a row.
  template <class Use>
  void for_each_weight(std::uint32_t row, Use use) const {
    for (std::uint32_t k = starts_[row]; k < starts_[row + 1]; ++k) use(labels_[k], int{weights_[k]});
  }
  // Adds the weights of a row to sums[label].
  void add_to(std::uint32_t row, std::uint32_t* sums) const {
    for (std::uint32_t k = starts_[row]; k < starts_[row + 1]; ++k) {
      sums[labels_[k]] += static_cast<std::uint32_t>(weights_[k]);
    }
  }

  void save(ByteWriter& writer) const;
  // Labels must be below `labels`.
  static LabelRows load(ByteReader& reader, int labels);

 private:
  explicit LabelRows(double unit) : unit_(unit) {}
  void build(std::vector<Entry>& entries, const std::vector<std::int8_t>& weights);

  std::size_t bucket(std::uint64_t feature) const {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(feature) * (buckets_.size() - 1) >> 64);
  }

  double unit_;
  LargeVector<std::uint32_t> buckets_;  // first row of each, and the end
  LargeVector<std::uint16_t> tags_;     // by row
  LargeVector<std::uint32_t> starts_;   // by row: first entry, and the end
  LargeVector<Label> labels_;           // by entry
  LargeVector<std::int8_t> weights_;    // by entry
};

}  // namespace copse
