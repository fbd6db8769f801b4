#pragma once

#include <cstdint>
#include <span>

#include "cuda/device_weights.h"

namespace copse::cuda {

// The loss of guessed words: which word was hidden, by the output of the encoder in its place.
class DeviceGuesses {
 public:
  // Borrows all.
  DeviceGuesses(const NetworkShape& shape, const NetworkBlocks& blocks, Products& products)
      : shape_(&shape), blocks_(&blocks), products_(&products) {}

  // Collects the losses, adds to the gradient of weights, and sets that of the encoder's output.
  void run(DeviceMatrix output, std::span<const std::uint32_t> hidden_rows,
           std::span<const std::uint32_t> gold, DeviceWeights& weights, DeviceMatrix output_gradient);

 private:
  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  Products* products_;
  DeviceArray<std::uint32_t> rows_, gold_;
  DeviceArray<float> inputs_;                                                   // [hidden][encoder]
  DeviceArray<float> activated_, normal_, guesses_, gradient_, gain_gradient_;  // [hidden][word]
  DeviceArray<float> deviations_;                                               // [hidden]: 1 / deviation
  DeviceArray<float> scores_;  // of some of the hidden words: [hidden][words]
};

}  // namespace copse::cuda
