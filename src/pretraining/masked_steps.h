#pragma once

#include <memory>
#include <span>
#include <vector>

#include "copse/parallel/device.h"
#include "network/masked_words.h"
#include "parser_training/network_steps.h"
#include "parser_training/processor_steps.h"

namespace copse {

// Steps that learn to guess hidden words (MaskedWordLoss); `weights` are those to begin with. The parts of a
// step name batches, one or more each, by their number in `batches`, whose content changes between steps.
// Borrow the shape, the batches and the pool. DataError for a device that cannot be used
// (expect_device()).
std::unique_ptr<NetworkSteps> make_masked_steps(Device device, const NetworkShape& shape,
                                                std::span<const MaskedBatch> batches, float dropout,
                                                std::vector<float> weights,
                                                const NetworkStepsOptions& options, TaskPool& pool);

// The same on a GPU, defined in the room `cuda`; not there in programs that are built without.
std::unique_ptr<NetworkSteps> make_cuda_masked_steps(const NetworkShape& shape,
                                                     std::span<const MaskedBatch> batches, float dropout,
                                                     std::vector<float> weights,
                                                     const NetworkStepsOptions& options, TaskPool& pool);

}  // namespace copse
