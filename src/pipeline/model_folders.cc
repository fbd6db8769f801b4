#include "pipeline/model_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

#include "copse/error.h"
#include "copse/model.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".copse";
constexpr const char* kDefaultName = "english";

fs::path folder_beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path() / "../share/copse/models";
}

// Those of add_model_folder().
struct ModelFolders {
  std::mutex mutex;
  std::vector<fs::path> folders;
};
ModelFolders& added_folders() {
  static ModelFolders added;
  return added;
}

// In the order in which they are looked up.
std::vector<fs::path> model_folders(const std::string& given) {
  std::vector<fs::path> folders;
  if (const char* own = std::getenv("COPSE_MODEL_FOLDER"); own != nullptr) folders.emplace_back(own);
  folders.push_back(folder_beside_program());
  folders.emplace_back(given);
  ModelFolders& added = added_folders();
  const std::lock_guard guard(added.mutex);
  folders.insert(folders.end(), added.folders.begin(), added.folders.end());
  return folders;
}

// NAME.copse comes before NAME-x.copse.
bool has_lower_stem(const fs::path& a, const fs::path& b) { return a.stem() < b.stem(); }

// All models of a folder: by name, the first one of two with the same.
void add_models_in(const fs::path& folder, std::map<std::string, std::string>& models) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == kExtension && entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(), has_lower_stem);
  for (const fs::path& file : files) {
    const std::string stem = file.stem().string();
    const std::string path = file.lexically_normal().string();
    const auto [place, is_new] = models.emplace(stem.substr(0, stem.find('-')), path);
    if (!is_new && fs::path(place->second).stem() != stem) models.emplace(stem, path);
  }
}

// The file NAME.copse, or the first NAME-*.copse: english is english-ewt.copse.
std::string find_in(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> matching;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != kExtension || !entry.is_regular_file(error)) continue;
    if (stem == name || stem.starts_with(name + "-")) matching.push_back(entry.path());
  }
  if (matching.empty()) return {};
  return std::min_element(matching.begin(), matching.end(), has_lower_stem)->lexically_normal().string();
}

bool is_path(const std::string& text) {
  std::error_code error;
  return text == "-" || text.find('/') != std::string::npos || text.ends_with(kExtension) ||
         fs::exists(text, error);
}

}  // namespace

std::string find_model(const std::string& path_or_name, const std::string& folder) {
  std::string wanted = path_or_name;
  if (wanted.empty()) {
    const char* chosen = std::getenv("COPSE_MODEL");
    wanted = chosen != nullptr && *chosen != '\0' ? chosen : kDefaultName;
  }
  if (is_path(wanted)) return wanted;
  for (const fs::path& place : model_folders(folder)) {
    if (place.empty()) continue;
    if (std::string file = find_in(place, wanted); !file.empty()) return file;
  }
  throw DataError(fmt::format(
      "{}: cannot open this file, and there is no model of that name; name another, or set the variable "
      "COPSE_MODEL",
      wanted));
}

std::vector<FoundModel> list_models(const std::string& folder) {
  std::map<std::string, std::string> models;
  for (const fs::path& place : model_folders(folder)) {
    if (!place.empty()) add_models_in(place, models);
  }
  std::vector<FoundModel> found;
  for (auto& [name, path] : models) found.push_back({name, std::move(path)});
  return found;
}

bool internal::add_model_folder(const std::string& folder) {
  ModelFolders& added = added_folders();
  const std::lock_guard guard(added.mutex);
  if (std::find(added.folders.begin(), added.folders.end(), folder) == added.folders.end()) {
    added.folders.emplace_back(folder);
  }
  return true;
}

}  // namespace copse
