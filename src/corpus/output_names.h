#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

struct NamedInput {
  std::string path;
  std::string name;  // that the output's is made of: the last part of the path, or all below the folder
};

// Folders replaced by the files in them and in their folders, sorted by path, hidden ones left out. DataError
// for what does not exist, a folder that cannot be read or holds no file, and the standard input, which has
// no name.
std::vector<NamedInput> find_inputs(const std::vector<std::string>& paths);

// Without the ending of compressed data (.gz, .zst).
std::string_view without_compression(std::string_view name);
// Whether the name ends as those of treebanks do.
bool is_treebank_name(std::string_view name);

// The name of what is made of an input: without the ending of compressed data, and with `extension` instead
// of an ending that tells what the input was (.txt, .conllu and so on). An empty extension keeps the ending.
std::string output_name(std::string_view name, std::string_view extension);

}  // namespace copse
