#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

#include "batch/cuda/cuda_memory.h"

namespace copse::cuda {

// Numbers in the memory of the GPU, which grows and never shrinks, so that steps of about the same size
// allocate nothing.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) { resize(size); }

  // What it held is lost if it grows.
  void resize(std::size_t size) {
    if (size * sizeof(T) > buffer_.bytes()) buffer_.reserve((size + size / 4) * sizeof(T));
    size_ = size;
  }
  T* data() { return buffer_.data<T>(); }
  const T* data() const { return buffer_.data<T>(); }
  std::size_t size() const { return size_; }

  void clear_values(cudaStream_t stream) {
    if (size_ > 0) check_cuda(cudaMemsetAsync(data(), 0, size_ * sizeof(T), stream), "clearing memory");
  }
  // The host's numbers may change as soon as this returns, unless they are pinned.
  void upload(std::span<const T> from, cudaStream_t stream) {
    resize(from.size());
    if (from.empty()) return;
    check_cuda(cudaMemcpyAsync(data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream),
               "copying to the GPU");
  }
  void upload(const std::vector<T>& from, cudaStream_t stream) { upload(std::span<const T>(from), stream); }
  // Waits until the numbers are there.
  void download(std::span<T> to, cudaStream_t stream) const {
    if (!to.empty()) {
      check_cuda(cudaMemcpyAsync(to.data(), data(), to.size_bytes(), cudaMemcpyDeviceToHost, stream),
                 "copying from the GPU");
    }
    check_cuda(cudaStreamSynchronize(stream), "waiting for the GPU");
  }

 private:
  DeviceBuffer buffer_;
  std::size_t size_ = 0;
};

// Memory of the host that the GPU reads and writes by itself.
class PinnedFloats {
 public:
  PinnedFloats() = default;
  PinnedFloats(const PinnedFloats&) = delete;
  PinnedFloats& operator=(const PinnedFloats&) = delete;
  ~PinnedFloats() { cudaFreeHost(data_); }

  void resize(std::size_t size) {
    if (size > capacity_) {
      cudaFreeHost(data_);
      data_ = nullptr;
      capacity_ = 0;
      const std::size_t room = size + size / 4;
      check_cuda(cudaMallocHost(reinterpret_cast<void**>(&data_), room * sizeof(float)), "pinning memory");
      capacity_ = room;
    }
    size_ = size;
  }
  float* data() { return data_; }
  std::size_t size() const { return size_; }
  std::span<float> all() { return {data_, size_}; }

 private:
  float* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace copse::cuda
