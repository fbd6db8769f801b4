#include "model/weight_table.h"

#include <algorithm>
#include <array>

#include "model/lookup_kernels.h"

namespace copse {
namespace {

constexpr std::uint32_t kTagMask = (std::uint32_t{1} << WeightTable::kTagBits) - 1;

}  // namespace

WeightTable::WeightTable(const RoundedWeights& list)
    : buckets_(weight_buckets(list.size())),
      tag_shift_(64 - list.hash_bits),
      unit_(list.unit),
      size_(list.size()),
      filter_(list.size()) {
  // Features come in the order of their buckets, so those that spill over go to the next places behind. The
  // last bucket is not full: every search ends.
  slots_.assign((buckets_ + 1) * kBucket, 0);
  std::size_t next = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::uint64_t hash = list.hashes[k];
    next = std::max(next, bucket_of(hash, buckets_) * kBucket);
    if (next + 1 >= slots_.size()) slots_.resize(slots_.size() + 4 * kBucket, 0);
    slots_[next++] = std::uint32_t{list.codes[k]} << kTagBits |
                     (static_cast<std::uint32_t>(hash >> tag_shift_) & kTagMask);
    filter_.add(hash);
  }
}

std::int32_t WeightTable::find(std::uint64_t hash) const {
  if (!filter_.may_contain(hash)) return 0;
  const std::array<std::uint64_t, 1 + HashFilter::kSlack> hashes = {hash};
  const int length = 1;
  std::int64_t total = 0;
  sum(hashes.data(), {&length, 1}, &total);
  return static_cast<std::int32_t>(total);
}

void WeightTable::sum(const std::uint64_t* hashes, std::span<const int> lengths, std::int64_t* sums) const {
  sum_weights({slots_.data(), buckets_, tag_shift_}, hashes, lengths, sums);
}

}  // namespace copse
