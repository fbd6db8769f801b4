#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "io/byte_source.h"

namespace copse {

struct InputPosition {
  int64_t bytes_read = 0;
  int64_t size = 0;  // 0 if nobody knows, as of a pipe
};

// How many bytes a regular file has ("-" is the standard input); 0 for anything else.
int64_t input_size(const std::string& path);

// The bytes of a file ("-" is the standard input). Counts them in `position`, whose size is the caller's
// business, and calls `before_waiting` when the next bytes have not come yet: the time for the caller to hand
// on what it holds back.
class WatchedInput : public ByteSource {
 public:
  WatchedInput(const std::string& path, InputPosition& position, std::function<void()> before_waiting);

  size_t read(std::span<char> out) override;

 private:
  bool may_wait() const;

  std::unique_ptr<ByteSource> source_;
  InputPosition& position_;
  std::function<void()> before_waiting_;
  bool is_standard_input_;
  bool is_regular_file_;
};

}  // namespace copse
