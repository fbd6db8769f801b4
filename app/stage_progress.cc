#include "stage_progress.h"

#include <fmt/format.h>

#include "number_text.h"

namespace copse {

void StageProgress::start(std::string_view what) {
  line_.print(what);
  start_ = last_ = Clock::now();
  tenths_ = 0;
}

double StageProgress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void StageProgress::show(std::string text, double share) {
  if (share > 0.0 && share < 1.0) {
    text += fmt::format("  {} left", duration(seconds() * (1.0 - share) / share));
  }
  const int tenths = static_cast<int>(10 * share);
  constexpr auto kLongest = std::chrono::minutes(1);
  if (line_.is_live()) {
    line_.show(text);
  } else if (tenths > tenths_ || Clock::now() - last_ >= kLongest) {
    tenths_ = tenths;
    last_ = Clock::now();
    line_.print(text);
  }
}

void StageProgress::print(std::string_view text) { line_.print(text); }

}  // namespace copse
