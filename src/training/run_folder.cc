#include "training/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "copse/setting_error.h"
#include "io/output_file.h"

namespace copse {

bool RunFolder::has_checkpoints() const {
  std::error_code ignored;
  const std::filesystem::recursive_directory_iterator entries(checkpoints(), ignored);
  return std::any_of(begin(entries), end(entries),
                     [](const std::filesystem::directory_entry& entry) { return entry.is_regular_file(); });
}

void expect_place_for(const RunFolder& run, const Team& team) {
  if (!team.leads()) return;
  { const OutputFile output(run.output); }  // goes away again
  const std::string folder = run.checkpoints();
  std::error_code error;
  const bool is_new = std::filesystem::create_directory(folder, error);
  if (error) {
    throw SettingError(
        fmt::format("{}: cannot make this folder: {}; write to another place", folder, error.message()),
        run.setting);
  }
  if (is_new) std::filesystem::remove(folder, error);
  if (run.resume || !run.has_checkpoints()) return;
  throw SettingError(folder +
                         ": there are checkpoints of an interrupted run; go on with it, or remove this "
                         "folder to start afresh",
                     "resume");
}

}  // namespace copse
