#include "run_files.h"

#include <filesystem>

#include "current_team.h"
#include "interrupted.h"
#include "parser_training/trainer.h"
#include "stop_signals.h"

namespace copse {

void report_stop(const RunFolder& run, TrainingLog& log, int last_iteration) {
  const int signal = StopSignals::received_by_any();
  log.write("stopped", {{"iteration", last_iteration}, {"signal", signal}});
  if (!current_team().leads()) throw Interrupted(status_of_stop(signal), "stopped");
  if (run.has_checkpoints()) {
    throw Interrupted(status_of_stop(signal), "stopped; the same command with --resume goes on from here");
  }
  remove_checkpoints(run.checkpoints());
  throw Interrupted(status_of_stop(signal), "stopped before the first iteration was done; nothing is saved");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace copse
