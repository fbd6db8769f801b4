#pragma once

#include <chrono>

#include "serving/request_error.h"

namespace copse {

// When a request must be answered. Whoever works on it asks often enough: after every few sentences.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never
  explicit Deadline(Clock::duration time) : end_(Clock::now() + time) {}

  bool is_over() const { return Clock::now() >= end_; }
  void check() const {
    if (is_over()) throw RequestError(504, "took too long and was stopped; send less at a time");
  }

 private:
  Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace copse
