#include "copse/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

#include "copse/error.h"
#include "pipeline/model_components.h"

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
  std::vector<fs::path> folders{folder_beside_program(), given};
  ModelFolders& added = added_folders();
  const std::lock_guard guard(added.mutex);
  folders.insert(folders.end(), added.folders.begin(), added.folders.end());
  return folders;
}

// The file NAME.copse, or the first NAME-*.copse: english is english-ewt.copse.
std::string find_in(const fs::path& folder, const std::string& name) {
  std::vector<std::string> matching;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    const std::string stem = path.stem().string();
    if (path.extension() != kExtension || !entry.is_regular_file(error)) continue;
    if (stem == name || stem.starts_with(name + "-")) {
      matching.push_back(path.lexically_normal().string());
    }
  }
  if (matching.empty()) return {};
  return *std::min_element(matching.begin(), matching.end());
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

bool internal::add_model_folder(const std::string& folder) {
  ModelFolders& added = added_folders();
  const std::lock_guard guard(added.mutex);
  if (std::find(added.folders.begin(), added.folders.end(), folder) == added.folders.end()) {
    added.folders.emplace_back(folder);
  }
  return true;
}

Model Model::load(const std::string& path_or_name, const std::string& folder) {
  return Model(
      std::make_shared<const ModelComponents>(ModelComponents::load(find_model(path_or_name, folder))));
}

bool Model::has_segmenter() const { return components_->segmenter.has_value(); }
bool Model::has_tagger() const {
  const Network* network = components_->parser.network();
  return components_->tagger.has_value() || (network != nullptr && !network->description().tags.empty());
}

std::vector<std::string> Model::labels() const {
  const std::vector<std::string>* labels = components_->labels();
  return labels == nullptr ? std::vector<std::string>() : *labels;
}

}  // namespace copse
