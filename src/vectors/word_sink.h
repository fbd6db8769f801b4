#pragma once

#include <cstdint>
#include <string_view>

namespace copse {

// Takes the words of a text, one after the other.
class WordSink {
 public:
  WordSink() = default;
  WordSink(const WordSink&) = delete;
  WordSink& operator=(const WordSink&) = delete;
  virtual ~WordSink() = default;

  virtual void add(std::string_view word) = 0;
  virtual void end_sentence() = 0;
  // Words so far, with those that come again.
  virtual std::uint64_t words() const = 0;
};

}  // namespace copse
