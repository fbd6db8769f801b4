#include "model/label_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {
namespace {

constexpr int kLargestWeight = 127;
constexpr int kLabelsInAByte = 256;

// Numbers below 2^32, small ones in one byte.
void write_varint(std::uint32_t value, std::vector<std::uint8_t>& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

class VarintReader {
 public:
  explicit VarintReader(ByteReader& reader) : reader_(&reader), bytes_(reader.numbers<std::uint8_t>()) {}

  std::uint32_t next() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (position_ == bytes_.size()) break;
      const std::uint8_t byte = bytes_[position_++];
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        if (value > std::numeric_limits<std::uint32_t>::max()) break;
        return static_cast<std::uint32_t>(value);
      }
    }
    reader_->fail("has a number that is cut off");
  }
  bool is_at_end() const { return position_ == bytes_.size(); }

 private:
  ByteReader* reader_;
  std::vector<std::uint8_t> bytes_;
  std::size_t position_ = 0;
};

template <class T>
std::span<const T> as_span(const LargeVector<T>& values) {
  return {values.data(), values.size()};
}

}  // namespace

LabelRows::LabelRows(std::vector<Entry> entries, double unit) : unit_(unit) {
  const auto rounded = [unit](float weight) {
    return std::clamp(std::lround(weight / unit), -long{kLargestWeight}, long{kLargestWeight});
  };
  std::erase_if(entries, [&](const Entry& entry) { return rounded(entry.weight) == 0; });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.feature != b.feature ? a.feature < b.feature : a.label < b.label;
  });
  std::vector<std::int8_t> weights(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    weights[k] = static_cast<std::int8_t>(rounded(entries[k].weight));
  }
  build(entries, weights);
}

LabelRows LabelRows::of_labels(std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.feature != b.feature ? a.feature < b.feature : a.label < b.label;
  });
  LabelRows rows(1.0);
  rows.build(entries, std::vector<std::int8_t>(entries.size(), 0));
  return rows;
}

// The entries are ordered by feature, and so by bucket.
void LabelRows::build(std::vector<Entry>& entries, const std::vector<std::int8_t>& weights) {
  struct FeatureEntries {
    std::uint64_t feature;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<FeatureEntries> rows;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (rows.empty() || rows.back().feature != entries[k].feature) rows.push_back({entries[k].feature, k, k});
    rows.back().end = k + 1;
  }
  buckets_.assign(rows.size() + 2, 0);
  starts_.assign(1, 0);
  std::size_t first = 0;
  for (std::size_t home = 0; home + 1 < buckets_.size(); ++home) {
    buckets_[home] = static_cast<std::uint32_t>(tags_.size());
    std::size_t last = first;
    while (last < rows.size() && bucket(rows[last].feature) == home) ++last;
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first),
              rows.begin() + static_cast<std::ptrdiff_t>(last),
              [](const FeatureEntries& a, const FeatureEntries& b) {
                const auto tag_a = static_cast<std::uint16_t>(a.feature);
                const auto tag_b = static_cast<std::uint16_t>(b.feature);
                if (tag_a != tag_b) return tag_a < tag_b;
                const std::size_t length_a = a.end - a.begin;
                const std::size_t length_b = b.end - b.begin;
                return length_a != length_b ? length_a > length_b : a.feature < b.feature;
              });
    for (; first < last; ++first) {
      const FeatureEntries& row = rows[first];
      const auto tag = static_cast<std::uint16_t>(row.feature);
      if (tags_.size() > buckets_[home] && tags_.back() == tag) continue;  // looks like the one before it
      tags_.push_back(tag);
      for (std::size_t k = row.begin; k < row.end; ++k) {
        labels_.push_back(entries[k].label);
        weights_.push_back(weights[k]);
      }
      starts_.push_back(static_cast<std::uint32_t>(labels_.size()));
    }
  }
  buckets_.back() = static_cast<std::uint32_t>(tags_.size());
}

// Numbers of a kind stand together: that is what makes them easy to compress.
void LabelRows::save(ByteWriter& writer) const {
  writer.f64(unit_);
  std::vector<std::uint8_t> bytes;
  for (std::size_t home = 0; home + 1 < buckets_.size(); ++home) {
    write_varint(buckets_[home + 1] - buckets_[home], bytes);
  }
  writer.u64(buckets_.size() - 1);
  writer.numbers(std::span<const std::uint8_t>(bytes));
  writer.numbers(as_span(tags_));
  bytes.clear();
  for (std::size_t row = 0; row < tags_.size(); ++row) write_varint(starts_[row + 1] - starts_[row], bytes);
  writer.numbers(std::span<const std::uint8_t>(bytes));
  const bool are_bytes =
      std::all_of(labels_.begin(), labels_.end(), [](Label label) { return label < kLabelsInAByte; });
  writer.u8(are_bytes ? 1 : 2);
  if (are_bytes) {
    writer.numbers(std::span<const std::uint8_t>(std::vector<std::uint8_t>(labels_.begin(), labels_.end())));
  } else {
    writer.numbers(as_span(labels_));
  }
  writer.numbers(as_span(weights_));
}

LabelRows LabelRows::load(ByteReader& reader, int labels) {
  LabelRows result(reader.f64());
  if (!is_usable_unit(result.unit_)) reader.fail("has weights in an impossible unit");
  const std::size_t buckets = reader.count(1);
  if (buckets == 0) reader.fail("has a table without buckets");
  VarintReader bucket_sizes(reader);
  const auto tags = reader.numbers<std::uint16_t>();
  result.tags_.assign(tags.begin(), tags.end());
  result.buckets_.assign(1, 0);
  for (std::size_t home = 0; home < buckets; ++home) {
    const std::uint64_t end = std::uint64_t{result.buckets_.back()} + bucket_sizes.next();
    if (end > tags.size()) reader.fail("has a table with too few rows");
    result.buckets_.push_back(static_cast<std::uint32_t>(end));
  }
  VarintReader lengths(reader);
  const std::uint8_t width = reader.u8();
  if (width == 1) {
    const auto bytes = reader.numbers<std::uint8_t>();
    result.labels_.assign(bytes.begin(), bytes.end());
  } else {
    const auto words = reader.numbers<Label>();
    result.labels_.assign(words.begin(), words.end());
  }
  const auto weights = reader.numbers<std::int8_t>();
  result.weights_.assign(weights.begin(), weights.end());
  result.starts_.assign(1, 0);
  for (std::size_t row = 0; row < tags.size(); ++row) {
    const std::uint64_t end = std::uint64_t{result.starts_.back()} + lengths.next();
    if (end > result.labels_.size()) reader.fail("has a table with too few entries");
    result.starts_.push_back(static_cast<std::uint32_t>(end));
  }
  const bool is_whole =
      bucket_sizes.is_at_end() && lengths.is_at_end() && result.buckets_.back() == tags.size() &&
      result.starts_.back() == result.labels_.size() && result.labels_.size() == result.weights_.size();
  const auto is_wrong = [labels](Label label) { return label >= labels; };
  if (!is_whole || std::any_of(result.labels_.begin(), result.labels_.end(), is_wrong)) {
    reader.fail("has a table that does not fit together");
  }
  return result;
}

}  // namespace copse
