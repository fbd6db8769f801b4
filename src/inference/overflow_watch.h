#pragma once

#include <cfenv>

namespace copse {

// Whether arithmetic of this thread has overflown, or made something that is no number, since the watch was
// set up. The processor remembers it anyway, so it costs nothing. What the caller may want to know of that
// kind is as before when the watch ends. Code that is watched must be compiled elsewhere: compilers move
// arithmetic across these calls.
class OverflowWatch {
 public:
  OverflowWatch() { std::feholdexcept(&before_); }
  ~OverflowWatch() { std::fesetenv(&before_); }
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;

  bool has_happened() const { return std::fetestexcept(FE_OVERFLOW | FE_INVALID) != 0; }

 private:
  std::fenv_t before_{};
};

}  // namespace copse
