#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "parallel/task_pool.h"

namespace copse {

inline std::uint64_t highest_bits(std::uint64_t hash) { return hash; }

template <class Key>
struct CountedKey {
  Key key;
  std::uint32_t count;
};

// Counts keys on all threads. Keys are ordered (<) and evenly spread over the values of their highest bits,
// highest_bits(key): they are collected by these, so that each shard can be counted by itself.
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

  // All keys that came at least so often, in their order. Leaves nothing behind.
  std::vector<CountedKey<Key>> take(std::uint32_t fewest) {
    std::vector<CountedKey<Key>> result;
    for (auto& shard : counted_) {
      std::copy_if(shard.begin(), shard.end(), std::back_inserter(result),
                   [fewest](const auto& counted) { return counted.count >= fewest; });
      shard = {};
    }
    return result;
  }

 private:
  static constexpr int kShardBits = 8;
  static constexpr std::size_t kShards = std::size_t{1} << kShardBits;

  using Counts = std::vector<CountedKey<Key>>;

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
