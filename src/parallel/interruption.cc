#include "parallel/interruption.h"

#include <utility>

namespace copse {
namespace {

thread_local const InterruptionScope* innermost_scope = nullptr;

}  // namespace

void interruption_point() {
  if (innermost_scope != nullptr) innermost_scope->check_();
}

InterruptionScope::InterruptionScope(std::function<void()> check)
    : check_(std::move(check)), outer_(std::exchange(innermost_scope, this)) {}

InterruptionScope::~InterruptionScope() { innermost_scope = outer_; }

}  // namespace copse
