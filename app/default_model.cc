#include "default_model.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "copse/error.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "english-ewt.copse";

fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

}  // namespace

CLI::Option* add_model_option(CLI::App& command, std::string& model) {
  return command.add_option("--model", model, "What `copse train` has written")
      ->option_text("FILE [the English model]");
}

std::string model_path(const std::string& model) {
  if (!model.empty()) return model;
  if (const char* chosen = std::getenv("COPSE_MODEL"); chosen != nullptr && *chosen != '\0') return chosen;
  const fs::path folder = program_folder();
  // Where it is installed, and where it lies beside the sources.
  const std::array<fs::path, 2> places = {folder / "../share/copse/models" / kFile,
                                          fs::path(COPSE_MODEL_FOLDER) / kFile};
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::is_regular_file(place, error)) return place.lexically_normal().string();
  }
  throw DataError("there is no model here; name one with --model FILE, or in the variable COPSE_MODEL");
}

}  // namespace copse
