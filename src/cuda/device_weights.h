#pragma once

#include <span>

#include "cuda/device_form.h"
#include "cuda/products.h"
#include "cuda/table_gradients.h"
#include "parser_training/network_steps.h"

namespace copse::cuda {

// The weights of a network on the GPU, with all that learning keeps beside them.
class DeviceWeights {
 public:
  // Borrows blocks and products.
  DeviceWeights(const NetworkBlocks& blocks, std::span<const RateRange> rates, Products& products);

  float* weights() { return weights_.data(); }
  // Of the weights before the tables; those of tables stand elsewhere.
  float* gradient() { return gradient_.data(); }
  // The same as layers see them.
  WeightSet<DeviceForm> weights_by_layer() { return device_weights(*blocks_, weights()); }
  WeightSet<DeviceGradientForm> gradient_by_layer() {
    return device_gradients(*blocks_, gradient(), tables_);
  }
  void clear_gradient();

  // Sums of losses are collected here, one for each row or arc; cleared by clear_gradient().
  double* take_losses(std::size_t count);

  // A step of Adam with the gradient. `host_loss` is added to what was collected on the GPU.
  NetworkStepReport update(const NetworkStep& step, double host_loss);

  const NetworkState& state();
  void restore(NetworkState state);

 private:
  void add_dense_tables();
  double measure(double& loss);

  const NetworkBlocks* blocks_;
  Products* products_;
  cudaStream_t stream_;
  DeviceArray<float> weights_, first_moments_, second_moments_, average_, gradient_, rates_;
  TableGradients tables_;
  DeviceArray<double> losses_;
  std::size_t loss_count_ = 0;
  DeviceArray<double> results_;
  DeviceArray<std::byte> room_;
  NetworkState state_;
  bool is_state_current_ = false;
};

}  // namespace copse::cuda
