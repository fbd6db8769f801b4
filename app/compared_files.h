#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace copse {

// The files of commands that compare systems with gold trees: --gold and --system, or plain arguments, of
// which the first is the gold file unless --gold names it.
struct ComparedFiles {
  std::string gold;
  std::vector<std::string> systems;
  std::vector<std::string> files;

  // Sorts plain arguments out. Throws CLI::RequiredError if there is no gold file or no system.
  void sort_out();
};

void add_compared_files(CLI::App& command, ComparedFiles& files, const std::string& system_text,
                        const std::string& system_form);

}  // namespace copse
