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

  std::size_t size() const { return end - begin; }
};

// Long vectors are worked on chunk by chunk. Of a team, every process has some of the chunks.
inline constexpr std::size_t kVectorChunk = std::size_t{1} << 15;
inline std::vector<std::size_t> part_bounds(const Team& team, std::size_t size) {
  return even_bounds(team, size, kVectorChunk);
}
inline VectorRange own_part(const Team& team, std::size_t size) {
  const std::vector<std::size_t> bounds = part_bounds(team, size);
  const auto rank = static_cast<std::size_t>(team.rank());
  return {bounds[rank], bounds[rank + 1]};
}

// Sums over long vectors, chunk by chunk on all threads of all processes. Chunks have a fixed size and their
// sums are added in order, so that the results do not depend on who did the work.
class ChunkedSums {
 public:
  ChunkedSums(TaskPool& pool, std::size_t size, std::size_t most_sums)
      : pool_(&pool),
        own_(own_part(pool.team(), size)),
        chunks_((size + kVectorChunk - 1) / kVectorChunk),
        chunk_sums_(chunks_ * most_sums),
        sums_(most_sums) {}

  // work(range, sums) adds what belongs to the range to `count` sums that start from 0. Ranges are counted
  // from the beginning of this process's part. The result is valid until the next call.
  template <class Work>
  std::span<const double> operator()(std::size_t count, const Work& work) {
    const std::size_t first = own_.begin / kVectorChunk;
    const auto work_on_chunk = [&](std::size_t chunk, int /*worker*/) {
      const std::span<double> sums(chunk_sums_.data() + (first + chunk) * count, count);
      std::fill(sums.begin(), sums.end(), 0.0);
      const std::size_t begin = chunk * kVectorChunk;
      work(VectorRange{begin, std::min(own_.size(), begin + kVectorChunk)}, sums.data());
    };
    pool_->for_each((own_.size() + kVectorChunk - 1) / kVectorChunk, std::ref(work_on_chunk));
    gather(count);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      for (std::size_t k = 0; k < count; ++k) sums_[k] += chunk_sums_[chunk * count + k];
    }
    return {sums_.data(), count};
  }

 private:
  void gather(std::size_t count) {
    Team& team = pool_->team();
    if (team.is_alone()) return;
    std::vector<std::size_t> bounds = even_bounds(team, chunks_, 1);
    for (std::size_t& bound : bounds) bound *= count;
    team.gather_parts(std::span(chunk_sums_).first(chunks_ * count), bounds);
  }

  TaskPool* pool_;
  VectorRange own_;
  std::size_t chunks_;
  std::vector<double> chunk_sums_;
  std::vector<double> sums_;
};

}  // namespace copse
