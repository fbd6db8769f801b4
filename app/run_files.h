#pragma once

#include <string>

#include "training_report.h"

namespace copse {

// The files beside what a long run writes: its log, and the folder with its checkpoints.
struct RunFiles {
  std::string output;
  std::string option;  // that names it, for messages
  bool resume = false;

  std::string log() const { return output + ".log.jsonl"; }
  std::string checkpoints() const { return output + ".checkpoint"; }
};

// Hours of work must not end in a message that nothing can be written, nor be thrown away because an option
// was forgotten: DataError if output or checkpoints cannot be made, or if there are checkpoints and no
// --resume.
void expect_place_for(const RunFiles& files);

// After a signal: writes to the log, and throws Interrupted.
[[noreturn]] void report_stop(const RunFiles& files, TrainingLog& log, int last_iteration);

// The folder of a file.
std::string folder_of(const std::string& path);

}  // namespace copse
