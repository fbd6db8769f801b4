#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/task_pool.h"
#include "parallel/team_values.h"

namespace copse {

inline std::uint64_t highest_bits(std::uint64_t hash) { return hash; }

template <class Key>
struct CountedKey {
  Key key;
  std::uint32_t count;
};

// Counts keys on all threads of all processes. Keys are ordered (<) and evenly spread over the values of
// their highest bits, highest_bits(key): they are collected by these, so that each shard can be counted by
// itself.
template <class Key>
class ShardedCounts {
 public:
  explicit ShardedCounts(TaskPool& pool)
      : pool_(&pool), collected_(static_cast<std::size_t>(pool.threads())), counted_(kShards) {
    for (auto& shards : collected_) shards.resize(kShards);
  }

  // To be called by this worker alone.
  void add(int worker, const Key& key) {
    collected_[static_cast<std::size_t>(worker)][highest_bits(key) >> (64 - kShardBits)].push_back(key);
  }

  // Counts what has been collected: call this once in a while, for the sake of memory, and at the end.
  void count() {
    pool_->for_each(kShards, [&](std::size_t shard, int) {
      std::vector<Key> all;
      for (auto& shards : collected_) {
        all.insert(all.end(), shards[shard].begin(), shards[shard].end());
        shards[shard].clear();
      }
      counted_[shard] = merge(counted_[shard], count(all));
    });
  }

  // All keys that came at least so often, in their order. Leaves nothing behind. In a team, every process
  // adds up the counts of its part of the shards, and all get all of them.
  std::vector<CountedKey<Key>> take(std::uint32_t fewest) {
    Team& team = pool_->team();
    if (!team.is_alone()) add_up_shards(team);
    std::vector<CountedKey<Key>> result;
    for (auto& shard : counted_) {
      std::copy_if(shard.begin(), shard.end(), std::back_inserter(result),
                   [fewest](const auto& counted) { return counted.count >= fewest; });
      shard = {};
    }
    return team.is_alone() ? result : gather_values(team, std::span<const CountedKey<Key>>(result));
  }

 private:
  static constexpr int kShardBits = 8;
  static constexpr std::size_t kShards = std::size_t{1} << kShardBits;

  using Counts = std::vector<CountedKey<Key>>;

  // Leaves this process its own shards, with the counts of all processes.
  void add_up_shards(Team& team) {
    static_assert(std::is_trivially_copyable_v<CountedKey<Key>>);
    const std::vector<std::size_t> bounds = even_bounds(team, kShards, 1);
    const auto processes = static_cast<std::size_t>(team.size());
    Team::Parcels parcels(processes);
    for (std::size_t rank = 0; rank < processes; ++rank) {
      for (std::size_t shard = bounds[rank]; shard < bounds[rank + 1]; ++shard) {
        const auto bytes = std::as_bytes(std::span(counted_[shard]));
        parcels[rank].insert(parcels[rank].end(), bytes.begin(), bytes.end());
        counted_[shard] = {};
      }
    }
    const auto rank = static_cast<std::size_t>(team.rank());
    for (std::vector<std::byte>& parcel : team.exchange(std::move(parcels))) {
      std::vector<Counts> shards(kShards);
      for (std::size_t at = 0; at < parcel.size(); at += sizeof(CountedKey<Key>)) {
        CountedKey<Key> counted;
        std::memcpy(&counted, parcel.data() + at, sizeof(counted));
        shards[highest_bits(counted.key) >> (64 - kShardBits)].push_back(counted);
      }
      parcel = {};
      pool_->for_each(bounds[rank + 1] - bounds[rank], [&](std::size_t k, int) {
        const std::size_t shard = bounds[rank] + k;
        counted_[shard] = merge(counted_[shard], shards[shard]);
      });
    }
  }

  static Counts count(std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    Counts counted;
    for (std::size_t k = 0; k < keys.size();) {
      std::size_t end = k + 1;
      while (end < keys.size() && !(keys[k] < keys[end])) ++end;
      counted.push_back({keys[k], static_cast<std::uint32_t>(std::min<std::size_t>(end - k, UINT32_MAX))});
      k = end;
    }
    return counted;
  }

  // Adds up two ordered lists.
  static Counts merge(const Counts& a, const Counts& b) {
    Counts merged;
    merged.reserve(a.size() + b.size());
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() && right != b.end()) {
      if (left->key < right->key) {
        merged.push_back(*left++);
      } else if (right->key < left->key) {
        merged.push_back(*right++);
      } else {
        merged.push_back({left->key, left->count + right->count});
        ++left, ++right;
      }
    }
    merged.insert(merged.end(), left, a.end());
    merged.insert(merged.end(), right, b.end());
    return merged;
  }

  TaskPool* pool_;
  std::vector<std::vector<std::vector<Key>>> collected_;  // by worker and shard
  std::vector<Counts> counted_;                           // by shard
};

}  // namespace copse
