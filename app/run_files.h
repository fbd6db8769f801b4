#pragma once

#include <string>

#include "run_report/training_log.h"
#include "training/run_folder.h"

namespace copse {

// After a signal: writes to the log, and throws Interrupted.
[[noreturn]] void report_stop(const RunFolder& run, TrainingLog& log, int last_iteration);

// The folder of a file.
std::string folder_of(const std::string& path);

}  // namespace copse
