#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "status_line.h"

namespace copse {

// How far long work is, stage by stage: on a terminal, a line that changes; elsewhere a line now and then.
class StageProgress {
 public:
  explicit StageProgress(StatusLine& line) : line_(line) {}

  void start(std::string_view what);
  // Since the stage has started.
  double seconds() const;
  // `share` of the stage is done, 0 if nobody knows: adds the time that is left. Lines that are not live come
  // with every tenth, and every minute.
  void show(std::string text, double share);
  // In any case.
  void print(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  StatusLine& line_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  int tenths_ = 0;
};

}  // namespace copse
