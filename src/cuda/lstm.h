#pragma once

#include "cuda/device_sequences.h"
#include "cuda/products.h"

namespace copse::cuda {

// What copse::Lstm does, on the GPU: an LSTM in both directions that keeps what backward() needs.
class DeviceLstm {
 public:
  explicit DeviceLstm(Products& products) : products_(&products) {}

  void forward(const DeviceSequences& sequences, DeviceMatrix input, const NetworkBlocks::Lstm& blocks,
               float* weights, DeviceMatrix output);
  // With the same arguments as the last forward(): adds to the gradient of weights, and replaces that of the
  // input.
  void backward(const DeviceSequences& sequences, DeviceMatrix input, DeviceMatrix output,
                DeviceMatrix output_gradient, const NetworkBlocks::Lstm& blocks, float* weights,
                float* gradient, DeviceMatrix input_gradient);

 private:
  Products* products_;
  DeviceArray<float> gates_;  // [row][8 × hidden]
  DeviceArray<float> cells_;  // [row][2 × hidden], and so is the next
  DeviceArray<float> tanh_cells_;
  DeviceArray<float> state_;          // [direction][sequence][hidden]
  DeviceArray<float> recurrent_;      // [direction][sequence][4 × hidden]
  DeviceArray<float> cell_gradient_;  // [direction][sequence][hidden]
  DeviceArray<float> previous_;       // [row][2 × hidden]: the output of the step before
};

}  // namespace copse::cuda
