#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sentence_output.h"
#include "status_line.h"
#include "watched_input.h"

namespace copse {

// Hands on what is done, and tells the user how far the work is.
class StreamProgress {
 public:
  // Sentences and progress on one terminal would be in each other's way: nothing is shown if the output goes
  // there.
  StreamProgress(SentenceOutput& output, const std::string& output_path, const InputPosition& position);

  // So many are written by now.
  void advance(std::int64_t sentences, std::int64_t words);
  void finish();
  StatusLine& line() { return line_; }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double per_second() const { return static_cast<double>(sentences_) / seconds(); }

  SentenceOutput& output_;
  const InputPosition& position_;
  bool is_shown_;
  StatusLine line_;
  Clock::time_point start_ = Clock::now();
  std::int64_t sentences_ = 0;
  std::int64_t words_ = 0;
};

}  // namespace copse
