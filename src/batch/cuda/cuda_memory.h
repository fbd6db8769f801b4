// Memory of the GPU, and errors of its driver.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

#include "copse/error.h"

namespace copse {

// Throws with one line if a call has failed.
inline void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next call reports it again
  throw DataError(std::string("GPU: ") + what + ": " + cudaGetErrorString(error));
}

// Grows, and keeps its memory for the next batch.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  ~DeviceBuffer() { release(); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  // False if there is not so much memory; then the buffer is empty. What was in it is lost.
  bool try_reserve(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    release();
    if (cudaMalloc(&memory_, bytes) != cudaSuccess) {
      cudaGetLastError();
      memory_ = nullptr;
      return false;
    }
    bytes_ = bytes;
    return true;
  }
  void reserve(std::size_t bytes) {
    if (!try_reserve(bytes)) {
      throw DataError("GPU: there is no room for " + std::to_string(bytes >> 20) +
                      " MB more in its memory; use smaller batches, or the device cpu");
    }
  }
  template <class T = std::byte>
  T* data() const {
    return static_cast<T*>(memory_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void release() {
    if (memory_ != nullptr) cudaFree(memory_);  // waits for work that may use it
    memory_ = nullptr;
    bytes_ = 0;
  }

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace copse
