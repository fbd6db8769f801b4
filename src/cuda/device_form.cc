#include "cuda/device_form.h"

#include "network/weight_views.h"

namespace copse::cuda {
namespace {

struct InDeviceArray {
  float* data;

  DeviceMatrix matrix(const Block& block, std::size_t rows) const {
    return {data + block.offset, rows, block.columns};
  }
  float* vector(const Block& block, std::size_t row) const {
    return data + block.offset + row * block.columns;
  }
  DeviceMatrix table(const Block& block) const { return matrix(block, block.rows); }
};

struct InDeviceGradients : InDeviceArray {
  TableGradients* tables;

  DeviceGradientForm::Table table(const Block& block) const { return {tables, &block}; }
};

}  // namespace

WeightSet<DeviceForm> device_weights(const NetworkBlocks& blocks, float* weights) {
  return view_weights<DeviceForm>(blocks, InDeviceArray{weights});
}

WeightSet<DeviceGradientForm> device_gradients(const NetworkBlocks& blocks, float* gradient,
                                               TableGradients& tables) {
  return view_weights<DeviceGradientForm>(blocks, InDeviceGradients{{gradient}, &tables});
}

}  // namespace copse::cuda
