#include "model/lookup_kernels.h"

#include <algorithm>
#include <array>

#include "model/hash_filter.h"
#include "model/weight_table.h"

#ifndef COPSE_PASSING_LANES
#define COPSE_PASSING_LANES
namespace copse {

// For every set of eight lanes its members in order; 0 behind them.
using LaneList = std::array<std::uint8_t, 8>;
inline constexpr std::array<LaneList, 256> kPassingLanes = [] {
  std::array<LaneList, 256> lists{};
  for (std::size_t set = 0; set < lists.size(); ++set) {
    std::size_t next = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((set >> lane & 1) != 0) lists[set][next++] = lane;
    }
  }
  return lists;
}();

}  // namespace copse
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/lookup_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t keep(FilterView filter, const std::uint64_t* hashes, std::span<int> lengths,
                 std::uint64_t* kept) {
  using Hashes = hn::CappedTag<std::uint64_t, 8>;
  using Indices = hn::RebindToSigned<Hashes>;
  const Hashes d;
  const Indices indices;
  const hn::Rebind<std::uint32_t, Hashes> words;
  const hn::Rebind<std::uint8_t, Hashes> bytes;
  constexpr int kLanes = hn::MaxLanes(Hashes());
  const auto one = hn::Set(d, 1);
  const auto low_bits = hn::Set(d, 63);
  std::uint64_t* end = kept;
  for (int& length : lengths) {
    const std::uint64_t* begin = end;
    for (int k = 0; k < length; k += kLanes) {
      const auto hash = hn::LoadU(d, hashes + k);
      const auto bit = hn::ShiftRightSame(hash, filter.shift);
      const auto word = hn::GatherIndex(d, filter.words, hn::BitCast(indices, hn::ShiftRight<6>(bit)));
      const auto is_set = hn::Eq(hn::And(hn::Shr(word, hn::And(bit, low_bits)), one), one);
      const auto passes = hn::And(is_set, hn::FirstN(d, static_cast<std::size_t>(length - k)));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, passes, bits);
      const auto lanes =
          hn::PromoteTo(d, hn::PromoteTo(words, hn::LoadU(bytes, kPassingLanes[bits[0]].data())));
      hn::StoreU(hn::TableLookupLanes(hash, hn::IndicesFromVec(d, lanes)), d, end);
      end += hwy::PopCount(bits[0]);
    }
    hashes += length;
    length = static_cast<int>(end - begin);
  }
  return static_cast<std::size_t>(end - kept);
}

void sum(WeightTableView table, const std::uint64_t* hashes, std::span<const int> lengths,
         std::int64_t* sums) {
  using Slots = hn::CappedTag<std::uint32_t, WeightTable::kBucket>;
  using Units = hn::RebindToSigned<Slots>;
  const Slots d;
  const Units signed_d;
  constexpr std::size_t kLanes = hn::MaxLanes(Slots());
  constexpr int kTagBits = WeightTable::kTagBits;
  const auto mantissa_bits = hn::Set(d, 0x7F);
  const auto leading_one = hn::Set(d, 0x80);
  const auto exponent_bits = hn::Set(d, 0xF);
  const auto one = hn::Set(d, 1);
  constexpr int kAhead =
      HashFilter::kSlack;  // what is behind the end is any feature, of a bucket that is there
  // So many weights can be added up without overflow, even if each feature were found twice.
  constexpr int kMostAtOnce = 256;
  static_assert(2 * std::int64_t{kMostAtOnce} * kMostUnits < (std::int64_t{1} << 31));
  for (std::size_t list = 0; list < lengths.size(); ++list) {
    std::int64_t total = 0;
    for (int begin = 0; begin < lengths[list]; begin += kMostAtOnce) {
      const int end = std::min(lengths[list], begin + kMostAtOnce);
      auto lanes = hn::Zero(signed_d);
      for (int k = begin; k < end; ++k) {
        const std::uint64_t hash = hashes[k];
        __builtin_prefetch(table.slots + bucket_of(hashes[k + kAhead], table.buckets) * WeightTable::kBucket);
        const auto tag = hn::Set(d, static_cast<std::uint32_t>(hash >> table.tag_shift) << (32 - kTagBits));
        const std::uint32_t* bucket = table.slots + bucket_of(hash, table.buckets) * WeightTable::kBucket;
        for (;;) {
          for (std::size_t first = 0; first < WeightTable::kBucket; first += kLanes) {
            const auto slots = hn::Load(d, bucket + first);
            const auto is_same = hn::Eq(hn::ShiftLeft<32 - kTagBits>(slots), tag);
            const auto exponent = hn::And(hn::ShiftRight<kTagBits + 7>(slots), exponent_bits);
            const auto mantissa =
                hn::Or(hn::And(hn::ShiftRight<kTagBits>(slots), mantissa_bits), leading_one);
            // An empty slot has the exponent 0, whatever the tag.
            const auto is_weight = hn::And(is_same, hn::Ne(exponent, hn::Zero(d)));
            const auto magnitude = hn::BitCast(
                signed_d, hn::IfThenElseZero(is_weight, hn::Shl(mantissa, hn::Sub(exponent, one))));
            const auto sign = hn::ShiftRight<31>(hn::BitCast(signed_d, slots));
            lanes = hn::Add(lanes, hn::Sub(hn::Xor(magnitude, sign), sign));
          }
          if (HWY_LIKELY(bucket[WeightTable::kBucket - 1] == 0)) break;
          bucket += WeightTable::kBucket;
        }
      }
      total += hn::GetLane(hn::SumOfLanes(signed_d, lanes));
    }
    sums[list] = total;
    hashes += lengths[list];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(keep);
HWY_EXPORT(sum);

std::size_t keep_possible(FilterView filter, const std::uint64_t* hashes, std::span<int> lengths,
                          std::uint64_t* kept) {
  return HWY_DYNAMIC_DISPATCH(keep)(filter, hashes, lengths, kept);
}

void sum_weights(WeightTableView table, const std::uint64_t* hashes, std::span<const int> lengths,
                 std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(sum)(table, hashes, lengths, sums);
}

}  // namespace copse
#endif
