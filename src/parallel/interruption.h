#pragma once

#include <functional>

namespace copse {

// Computations that may take long call this between their steps: it does nothing, unless whoever has started
// them on this thread wants to stop them, who throws from here. Nothing of theirs is lost but the results.
void interruption_point();

// While it lives, interruption_point() on this thread calls `check`. Of scopes within each other, the inner
// one counts.
class InterruptionScope {
 public:
  explicit InterruptionScope(std::function<void()> check);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend void interruption_point();

  std::function<void()> check_;
  const InterruptionScope* outer_;
};

}  // namespace copse
