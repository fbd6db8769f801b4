#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "network/gradients.h"
#include "network/training_weights.h"

namespace copse {

// What a network is to learn: the loss of some examples, and its gradient. A workspace for one thread.
class BatchLoss {
 public:
  BatchLoss() = default;
  BatchLoss(const BatchLoss&) = delete;
  BatchLoss& operator=(const BatchLoss&) = delete;
  virtual ~BatchLoss() = default;

  // The sum over the examples whose numbers are given. Sets the gradient. `seed` decides what is dropped. The
  // loss is not a finite number if the network has run away.
  virtual double run(std::span<const std::size_t> examples, const TrainingWeights& weights,
                     std::uint64_t seed, Gradients& gradients) = 0;
};

// Makes one for each thread. The blocks live as long as what is made.
using MakeBatchLoss = std::function<std::unique_ptr<BatchLoss>(const NetworkBlocks& blocks)>;

}  // namespace copse
