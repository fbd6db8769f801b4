#include "training_files.h"

#include <filesystem>

namespace copse {

std::string file_names(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths) {
    if (!names.empty()) names += ' ';
    names += path == "-" ? path : std::filesystem::path(path).filename().string();
  }
  return names;
}

}  // namespace copse
