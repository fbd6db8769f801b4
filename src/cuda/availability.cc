#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "batch/cuda/cuda_device.h"

namespace copse {

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) return "there is no driver for NVIDIA GPUs here; install it, or use the device cpu";
    return fmt::format("the GPU's driver is too old (CUDA {}.{}, needed {}.{}); update it, or use the device cpu",
                       driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  }
  if (status != cudaSuccess) {
    return fmt::format("there is no usable GPU: {}; use the device cpu", cudaGetErrorString(status));
  }
  if (count == 0) return "there is no GPU here; use the device cpu";
  return {};
}

}  // namespace copse
