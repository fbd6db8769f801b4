#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "parallel/task_pool.h"

namespace copse {

struct VectorRange {
  std::size_t begin;
  std::size_t end;
};

// Sums over long vectors, chunk by chunk on all threads. Chunks have a fixed size and their sums are added in
// order, so that the results do not depend on who did the work.
class ChunkedSums {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 15;

  ChunkedSums(TaskPool& pool, std::size_t size, std::size_t most_sums)
      : pool_(&pool), size_(size), chunk_sums_((size + kChunk - 1) / kChunk * most_sums), sums_(most_sums) {}

  // work(range, sums) adds what belongs to the range to `count` sums that start from 0. The result is
  // valid until the next call.
  template <class Work>
  std::span<const double> operator()(std::size_t count, const Work& work) {
    const std::size_t chunks = (size_ + kChunk - 1) / kChunk;
    const auto work_on_chunk = [&](std::size_t chunk, int /*worker*/) {
      const std::span<double> sums(chunk_sums_.data() + chunk * count, count);
      std::fill(sums.begin(), sums.end(), 0.0);
      work(VectorRange{chunk * kChunk, std::min(size_, (chunk + 1) * kChunk)}, sums.data());
    };
    pool_->for_each(chunks, std::ref(work_on_chunk));
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      for (std::size_t k = 0; k < count; ++k) sums_[k] += chunk_sums_[chunk * count + k];
    }
    return {sums_.data(), count};
  }

 private:
  TaskPool* pool_;
  std::size_t size_;
  std::vector<double> chunk_sums_;
  std::vector<double> sums_;
};

}  // namespace copse
