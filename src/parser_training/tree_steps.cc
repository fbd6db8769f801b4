#include "parser_training/tree_steps.h"

#include <utility>

namespace copse {

std::unique_ptr<NetworkSteps> make_tree_steps(Device device, const NetworkDescription& network,
                                              std::span<const NetworkExample> examples,
                                              const NetworkLossOptions& loss, std::vector<float> weights,
                                              const NetworkStepsOptions& options, TaskPool& pool) {
  expect_device(device, pool.team());
#ifdef COPSE_CUDA
  if (device == Device::cuda)
    return make_cuda_tree_steps(network, examples, loss, std::move(weights), options, pool);
#endif
  const auto make_loss = [&](const NetworkBlocks& blocks) {
    return std::make_unique<NetworkLoss>(network, blocks, examples, loss);
  };
  return std::make_unique<ProcessorSteps>(network.shape, make_loss, std::move(weights), options, pool);
}

}  // namespace copse
