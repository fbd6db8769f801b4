#pragma once

#include <memory>
#include <span>
#include <vector>

#include "copse/parallel/device.h"
#include "parser_training/network_loss.h"
#include "parser_training/network_steps.h"
#include "parser_training/processor_steps.h"

namespace copse {

// Steps that learn the trees, labels and tags of a treebank; `weights` are those to begin with. Borrow the
// network, the examples and the pool. DataError for a device that cannot be used
// (expect_device()).
std::unique_ptr<NetworkSteps> make_tree_steps(Device device, const NetworkDescription& network,
                                              std::span<const NetworkExample> examples,
                                              const NetworkLossOptions& loss, std::vector<float> weights,
                                              const NetworkStepsOptions& options, TaskPool& pool);

// The same on a GPU, defined in the room `cuda`; not there in programs that are built without.
std::unique_ptr<NetworkSteps> make_cuda_tree_steps(const NetworkDescription& network,
                                                   std::span<const NetworkExample> examples,
                                                   const NetworkLossOptions& loss, std::vector<float> weights,
                                                   const NetworkStepsOptions& options, TaskPool& pool);

}  // namespace copse
