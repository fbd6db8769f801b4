#include "training_files.h"

#include <filesystem>
#include <iterator>

#include "copse/treebank/conll.h"

namespace copse {

std::vector<Sentence> read_all(const std::vector<std::string>& paths) {
  std::vector<Sentence> sentences;
  for (const std::string& path : paths) {
    std::vector<Sentence> more = read_conll(path);
    std::move(more.begin(), more.end(), std::back_inserter(sentences));
  }
  return sentences;
}

std::string file_names(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths) {
    if (!names.empty()) names += ' ';
    names += path == "-" ? path : std::filesystem::path(path).filename().string();
  }
  return names;
}

}  // namespace copse
