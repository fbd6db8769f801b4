#pragma once

#include <array>
#include <cstddef>

#include "batch/cuda/cuda_memory.h"
#include "batch/cuda/cuda_plan.h"

namespace copse {

// A stream for the launches of each class of lengths, so that long sentences run beside short ones.
class LengthStreams {
 public:
  LengthStreams() {
    for (cudaStream_t& stream : streams_) {
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    }
    for (cudaEvent_t& event : ends_)
      check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
    check_cuda(cudaEventCreateWithFlags(&start_, cudaEventDisableTiming), "an event");
    check_cuda(cudaEventCreateWithFlags(&last_, cudaEventDisableTiming), "an event");
  }
  ~LengthStreams() {
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    for (cudaEvent_t event : ends_) cudaEventDestroy(event);
    cudaEventDestroy(start_);
    cudaEventDestroy(last_);
  }
  LengthStreams(const LengthStreams&) = delete;
  LengthStreams& operator=(const LengthStreams&) = delete;

  // Work that follows in `stream` waits for all earlier work of this object.
  void begin(cudaStream_t stream) const { check_cuda(cudaStreamWaitEvent(stream, last_), "waiting"); }
  void end(cudaStream_t stream) const { check_cuda(cudaEventRecord(last_, stream), "an event"); }
  // Stream `i` goes on from where `stream` is.
  void start(cudaStream_t stream) const { check_cuda(cudaEventRecord(start_, stream), "an event"); }
  cudaStream_t fork(std::size_t i) const {
    check_cuda(cudaStreamWaitEvent(streams_[i], start_), "waiting");
    return streams_[i];
  }
  void join(std::size_t i, cudaStream_t stream) const {
    check_cuda(cudaEventRecord(ends_[i], streams_[i]), "an event");
    check_cuda(cudaStreamWaitEvent(stream, ends_[i]), "waiting");
  }

 private:
  std::array<cudaStream_t, kLengthClasses> streams_{};
  std::array<cudaEvent_t, kLengthClasses> ends_{};
  cudaEvent_t start_ = nullptr;
  cudaEvent_t last_ = nullptr;
};

}  // namespace copse
