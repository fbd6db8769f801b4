#pragma once

#include "cuda/device_form.h"
#include "cuda/device_sequences.h"
#include "cuda/products.h"

namespace copse::cuda {

// What copse::Lstm does, on the GPU: an LSTM in both directions that keeps what backward() needs.
class DeviceLstm {
 public:
  void forward(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
               const DeviceForm::Lstm& weights, DeviceMatrix output);
  // With the same arguments as the last forward(): adds to the gradient of weights, and replaces that of the
  // input.
  void backward(Products& products, const DeviceSequences& sequences, DeviceMatrix input, DeviceMatrix output,
                DeviceMatrix output_gradient, const DeviceForm::Lstm& weights,
                const DeviceForm::Lstm& gradients, DeviceMatrix input_gradient);

  // The same for the hidden numbers after each direction's last step alone, [sequence][2 × hidden].
  void forward_to_end(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                      const DeviceForm::Lstm& weights, DeviceMatrix ends);
  void backward_from_end(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                         DeviceMatrix end_gradient, const DeviceForm::Lstm& weights,
                         const DeviceForm::Lstm& gradients, DeviceMatrix input_gradient);

 private:
  DeviceArray<float> gates_;  // [row][8 × hidden]
  DeviceArray<float> cells_;  // [row][2 × hidden], and so is the next
  DeviceArray<float> tanh_cells_;
  DeviceArray<float> state_;          // [direction][sequence][hidden]
  DeviceArray<float> recurrent_;      // [direction][sequence][4 × hidden]
  DeviceArray<float> cell_gradient_;  // [direction][sequence][hidden]
  DeviceArray<float> previous_;       // [row][2 × hidden]: the output of the step before
  DeviceArray<float> output_;         // alike, if only the ends of it are wanted; so is the next
  DeviceArray<float> output_gradient_;
};

}  // namespace copse::cuda
