#include "cuda/dropout.h"
#include "cuda/launch.h"
#include "network/random.h"

namespace copse::cuda {
namespace {

struct DrawFactors {
  const std::uint64_t* states;
  std::size_t columns;
  float rate;
  float* factors;
  __device__ void operator()(std::size_t k) const {
    const float drawn = Random::uniform_at(states[k / columns], k % columns);
    factors[k] = drawn < rate ? 0.0F : 1.0F / (1.0F - rate);
  }
};

struct MultiplyRows {
  SequencesView sequences;
  const float* factors;
  DeviceMatrix rows;
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / rows.columns;
    const std::size_t column = k % rows.columns;
    rows.data[row * rows.stride + column] *=
        factors[static_cast<std::size_t>(sequences.sequence_of_row[row]) * rows.columns + column];
  }
};

}  // namespace

void DeviceDropout::draw(std::span<const std::uint64_t> states, std::size_t columns, float rate,
                         cudaStream_t stream) {
  drops_ = !states.empty() && rate > 0.0F;
  if (!drops_) return;
  states_.upload(states, stream);
  factors_.resize(states.size() * columns);
  run_for(factors_.size(), stream, DrawFactors{states_.data(), columns, rate, factors_.data()});
}

void DeviceDropout::apply(const DeviceSequences& sequences, DeviceMatrix rows, cudaStream_t stream) const {
  if (!drops_) return;
  run_for(static_cast<std::size_t>(rows.rows) * rows.columns, stream,
          MultiplyRows{sequences.view(), factors_.data(), rows});
}

}  // namespace copse::cuda
