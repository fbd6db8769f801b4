#include "pretraining/masked_steps.h"

#include <utility>

#include "pretraining/masked_word_loss.h"

namespace copse {

std::unique_ptr<NetworkSteps> make_masked_steps(Device device, const NetworkShape& shape,
                                                std::span<const MaskedBatch> batches, float dropout,
                                                std::vector<float> weights,
                                                const NetworkStepsOptions& options, TaskPool& pool) {
  expect_device(device, pool.team());
#ifdef COPSE_CUDA
  if (device == Device::cuda)
    return make_cuda_masked_steps(shape, batches, dropout, std::move(weights), options, pool);
#endif
  const auto make_loss = [&](const NetworkBlocks& blocks) {
    return std::make_unique<MaskedWordLoss>(shape, blocks, batches, dropout);
  };
  return std::make_unique<ProcessorSteps>(shape, make_loss, std::move(weights), options, pool);
}

}  // namespace copse
