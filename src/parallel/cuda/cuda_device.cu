#include "parallel/cuda/cuda_device.h"

#include <cuda_runtime_api.h>

#include <string>

namespace copse {
namespace {

__global__ void do_nothing() {}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (error == cudaErrorInsufficientDriver || error == cudaErrorSystemDriverMismatch) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) return "no driver of an NVIDIA GPU was found; install it, or use the device cpu";
    return "the GPU's driver is for CUDA " + version_text(driver) + ", but this Copse needs " +
           version_text(CUDART_VERSION) + "; update the driver, or use the device cpu";
  }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
    return "no NVIDIA GPU was found; use the device cpu";
  }
  if (error != cudaSuccess) {
    return std::string("the GPU cannot be used (") + cudaGetErrorString(error) + "); use the device cpu";
  }
  cudaFuncAttributes attributes{};
  const cudaError_t kernel = cudaFuncGetAttributes(&attributes, do_nothing);
  cudaGetLastError();
  if (kernel == cudaSuccess) return {};
  int major = 0;
  int minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  if (kernel == cudaErrorNoKernelImageForDevice || kernel == cudaErrorInvalidDeviceFunction) {
    return "this Copse was not built for GPUs of compute capability " + std::to_string(major) + "." +
           std::to_string(minor) + "; build it with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(major) +
           std::to_string(minor) + ", or use the device cpu";
  }
  return std::string("the GPU cannot be used (") + cudaGetErrorString(kernel) + "); use the device cpu";
}

}  // namespace copse
