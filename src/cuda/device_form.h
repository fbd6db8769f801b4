#pragma once

#include "cuda/device_matrix.h"
#include "network/parameters.h"

namespace copse::cuda {

class TableGradients;

// Weights as they lie in the memory of the GPU.
struct DeviceForm {
  struct Affine {
    DeviceMatrix weights;
    float* bias = nullptr;
  };
  struct Lstm {
    DeviceMatrix input;
    float* bias = nullptr;
    DeviceMatrix recurrent[2];  // one after the other in memory
  };
  using Bilinear = Affine;  // the bias is what heads score by themselves
  using Vector = float*;
  using Table = DeviceMatrix;
};

// The same of their gradients. Of tables, a batch has those of a few rows.
struct DeviceGradientForm {
  using Affine = DeviceForm::Affine;
  using Lstm = DeviceForm::Lstm;
  using Bilinear = Affine;
  using Vector = float*;
  struct Table {
    TableGradients* all = nullptr;
    const Block* block = nullptr;
  };
};

// In an array that has all weights, or the gradient of all that every sentence uses.
WeightSet<DeviceForm> device_weights(const NetworkBlocks& blocks, float* weights);
WeightSet<DeviceGradientForm> device_gradients(const NetworkBlocks& blocks, float* gradient,
                                               TableGradients& tables);

}  // namespace copse::cuda
