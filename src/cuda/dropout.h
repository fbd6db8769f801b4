#pragma once

#include <cstdint>
#include <span>

#include "cuda/device_matrix.h"
#include "cuda/device_sequences.h"

namespace copse::cuda {

// What copse::SharedDropout does, with the same random numbers: every sequence has the state of a Random from
// which its factors are drawn.
class DeviceDropout {
 public:
  // No states, or a rate of 0: nothing is dropped.
  void draw(std::span<const std::uint64_t> states, std::size_t columns, float rate, cudaStream_t stream);
  void apply(const DeviceSequences& sequences, DeviceMatrix rows, cudaStream_t stream) const;
  bool drops() const { return drops_; }

 private:
  bool drops_ = false;
  DeviceArray<std::uint64_t> states_;
  DeviceArray<float> factors_;  // [sequence][column]
};

}  // namespace copse::cuda
