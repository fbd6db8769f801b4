#include "corpus/output_names.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "copse/error.h"
#include "io/byte_source.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kCompressed = {".gz", ".zst"};
constexpr std::array<std::string_view, 5> kTreebanks = {".conllu", ".conllx", ".conll", ".dp", ".tab3"};
constexpr std::array<std::string_view, 4> kTexts = {".txt", ".text", ".lines", ".tokens"};

// Nothing but an ending is no name.
bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending) &&
         name[name.size() - ending.size() - 1] != '/';
}

template <class Endings>
bool remove_ending(std::string_view& name, const Endings& endings) {
  for (const std::string_view ending : endings) {
    if (!has_ending(name, ending)) continue;
    name.remove_suffix(ending.size());
    return true;
  }
  return false;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<NamedInput> files_of_folder(const std::string& folder) {
  std::vector<NamedInput> files;
  try {
    for (auto entry =
             fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink);
         entry != fs::recursive_directory_iterator(); ++entry) {
      if (is_hidden(entry->path())) {
        entry.disable_recursion_pending();
      } else if (entry->is_regular_file()) {
        files.push_back({entry->path().string(), entry->path().lexically_relative(folder).generic_string()});
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw DataError(folder + ": cannot be read: " + error.code().message());
  }
  if (files.empty()) throw DataError(folder + ": there is no file in this folder; name another");
  std::sort(files.begin(), files.end(),
            [](const NamedInput& a, const NamedInput& b) { return a.path < b.path; });
  return files;
}

}  // namespace

std::vector<NamedInput> find_inputs(const std::vector<std::string>& paths) {
  std::vector<NamedInput> inputs;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-") {
      throw DataError("<stdin>: has no name to give to a file in a folder; name files, or write to a file");
    }
    if (fs::is_directory(path, error)) {
      for (NamedInput& file : files_of_folder(path)) inputs.push_back(std::move(file));
      continue;
    }
    if (!fs::exists(path, error)) open_file(path);  // which says why
    if (!fs::is_regular_file(path, error)) {
      throw DataError(path + ": is no regular file; name files, or write to a file instead of a folder");
    }
    inputs.push_back({path, fs::path(path).filename().string()});
  }
  return inputs;
}

std::string_view without_compression(std::string_view name) {
  remove_ending(name, kCompressed);
  return name;
}

bool is_treebank_name(std::string_view name) {
  name = without_compression(name);
  return remove_ending(name, kTreebanks);
}

std::string output_name(std::string_view name, std::string_view extension) {
  name = without_compression(name);
  if (extension.empty()) return std::string(name);
  if (!remove_ending(name, kTreebanks)) remove_ending(name, kTexts);
  return std::string(name) + std::string(extension);
}

}  // namespace copse
