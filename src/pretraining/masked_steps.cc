#include "pretraining/masked_steps.h"

#include <utility>

#include "copse/error.h"
#include "pretraining/masked_word_loss.h"

namespace copse {

std::unique_ptr<NetworkSteps> make_masked_steps(Device device, const NetworkShape& shape,
                                                std::span<const MaskedBatch> batches, float dropout,
                                                std::vector<float> weights,
                                                const NetworkStepsOptions& options, TaskPool& pool) {
  if (device == Device::cuda) {
    return make_cuda_masked_steps(shape, batches, dropout, std::move(weights), options, pool);
  }
  const auto make_loss = [&](const NetworkBlocks& blocks) {
    return std::make_unique<MaskedWordLoss>(shape, blocks, batches, dropout);
  };
  return std::make_unique<ProcessorSteps>(shape, make_loss, std::move(weights), options, pool);
}

#ifndef COPSE_CUDA
std::unique_ptr<NetworkSteps> make_cuda_masked_steps(const NetworkShape&, std::span<const MaskedBatch>, float,
                                                     std::vector<float>, const NetworkStepsOptions&,
                                                     TaskPool&) {
  throw DataError("this program was built without CUDA; build it with -DCOPSE_CUDA=ON, or use --device cpu");
}
#endif

}  // namespace copse
