#pragma once

#include <stdexcept>
#include <string>

namespace copse {

// What is added to the number of a signal that ends a program, as shells have it.
inline constexpr int kStatusOfSignals = 128;

// The user stopped the program, which ends with this status.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace copse
