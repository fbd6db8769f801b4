#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

namespace copse::cuda {

// Throws DataError with what was tried and what the driver says, unless all is well.
void check(cudaError_t status, const char* what);

// Memory of the GPU. Grows and never shrinks, so that steps of about the same size allocate nothing.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) { resize(size); }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  // What it held is lost if it grows.
  void resize(std::size_t size) {
    if (size > capacity_) {
      check(cudaFree(data_), "giving memory back");
      data_ = nullptr;
      capacity_ = 0;
      const std::size_t room = size + size / 4;
      check(cudaMalloc(reinterpret_cast<void**>(&data_), room * sizeof(T)), "taking memory");
      capacity_ = room;
    }
    size_ = size;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void clear_values(cudaStream_t stream) {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream), "clearing memory");
  }
  // The host's numbers may change as soon as this returns, unless they are pinned.
  void upload(std::span<const T> from, cudaStream_t stream) {
    resize(from.size());
    if (from.empty()) return;
    check(cudaMemcpyAsync(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream),
          "copying to the GPU");
  }
  void upload(const std::vector<T>& from, cudaStream_t stream) { upload(std::span<const T>(from), stream); }
  // Waits until the numbers are there.
  void download(std::span<T> to, cudaStream_t stream) const {
    if (!to.empty()) {
      check(cudaMemcpyAsync(to.data(), data_, to.size_bytes(), cudaMemcpyDeviceToHost, stream),
            "copying from the GPU");
    }
    check(cudaStreamSynchronize(stream), "waiting for the GPU");
  }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
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
      check(cudaMallocHost(reinterpret_cast<void**>(&data_), room * sizeof(float)), "pinning memory");
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
