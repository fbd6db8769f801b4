#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "io/byte_source.h"

namespace copse {

// Hands out a few bytes at a time, as a slow pipe does.
class SlowSource : public ByteSource {
 public:
  SlowSource(std::string bytes, size_t step) : bytes_(std::move(bytes)), step_(step) {}

  size_t read(std::span<char> out) override {
    const size_t count = bytes_.copy(out.data(), std::min(out.size(), step_), position_);
    position_ += count;
    return count;
  }

 private:
  std::string bytes_;
  size_t step_;
  size_t position_ = 0;
};

inline std::string drain(ByteSource& source, size_t step = 4096) {
  std::string result;
  std::string chunk(step, '\0');
  while (const size_t count = source.read(chunk)) result.append(chunk, 0, count);
  return result;
}

}  // namespace copse
