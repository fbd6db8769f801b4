#include "run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "copse/error.h"
#include "current_team.h"
#include "interrupted.h"
#include "io/output_file.h"
#include "stop_signals.h"

namespace copse {
namespace {

bool has_checkpoints(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::recursive_directory_iterator entries(folder, ignored);
  return std::any_of(begin(entries), end(entries),
                     [](const std::filesystem::directory_entry& entry) { return entry.is_regular_file(); });
}

}  // namespace

void expect_place_for(const RunFiles& files) {
  if (!current_team().leads()) return;
  { const OutputFile output(files.output); }  // goes away again
  const std::string folder = files.checkpoints();
  std::error_code error;
  const bool is_new = std::filesystem::create_directory(folder, error);
  if (error) {
    throw DataError(fmt::format("{}: cannot make this folder: {}; choose another {}", folder, error.message(),
                                files.option));
  }
  if (is_new) std::filesystem::remove(folder, error);
  if (files.resume || !has_checkpoints(folder)) return;
  throw DataError(fmt::format(
      "{}: there are checkpoints of an interrupted run; go on with --resume, or remove this folder to start "
      "afresh",
      folder));
}

void report_stop(const RunFiles& files, TrainingLog& log, int last_iteration) {
  const int signal = StopSignals::received_by_any();
  log.write("stopped", {{"iteration", last_iteration}, {"signal", signal}});
  if (!current_team().leads()) throw Interrupted(status_of_stop(signal), "stopped");
  if (has_checkpoints(files.checkpoints())) {
    throw Interrupted(status_of_stop(signal), "stopped; the same command with --resume goes on from here");
  }
  remove_checkpoints(files.checkpoints());
  throw Interrupted(status_of_stop(signal), "stopped before the first iteration was done; nothing is saved");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace copse
