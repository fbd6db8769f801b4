#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "run_report/message_lines.h"

namespace copse {

// Messages on the standard error, one per line, and on a terminal a last line that shows how things stand
// right now. Elsewhere there is no such line. The line goes away with the object. In a team, the process that
// leads writes them.
class StatusLine : public MessageLines {
 public:
  StatusLine();
  ~StatusLine() override { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_live() const override { return is_live_; }
  // Replaces the line, but not more often than the eye can follow.
  void show(std::string_view text) override;
  void clear();
  // Writes a line that stays.
  void print(std::string_view message) override;

 private:
  bool is_live_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_change_;
};

}  // namespace copse
