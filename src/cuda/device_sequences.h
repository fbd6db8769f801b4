#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device_array.h"
#include "network/sequences.h"

namespace copse::cuda {

// Which row belongs to which sequence, for kernels.
struct SequencesView {
  const std::int32_t* begins = nullptr;  // by sequence, and the end
  const std::int32_t* sequence_of_row = nullptr;
  int count = 0;
};

class DeviceSequences {
 public:
  void assign(const Sequences& sequences, cudaStream_t stream) {
    host_ = &sequences;
    begins_host_.clear();
    rows_host_.clear();
    for (std::size_t s = 0; s < sequences.count(); ++s) {
      begins_host_.push_back(static_cast<std::int32_t>(sequences.begin(s)));
      rows_host_.insert(rows_host_.end(), sequences.length(s), static_cast<std::int32_t>(s));
    }
    begins_host_.push_back(static_cast<std::int32_t>(sequences.rows()));
    begins_.upload(begins_host_, stream);
    rows_.upload(rows_host_, stream);
  }
  const Sequences& host() const { return *host_; }
  SequencesView view() const {
    return {begins_.data(), rows_.data(), static_cast<int>(begins_host_.size()) - 1};
  }

 private:
  const Sequences* host_ = nullptr;
  std::vector<std::int32_t> begins_host_;
  std::vector<std::int32_t> rows_host_;
  DeviceArray<std::int32_t> begins_;
  DeviceArray<std::int32_t> rows_;
};

}  // namespace copse::cuda
