#pragma once

#include <string>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

std::vector<Sentence> read_all(const std::vector<std::string>& paths);

// For the facts of a model. Where the files lie is nobody's business but the user's, and it would make equal
// models differ.
std::string file_names(const std::vector<std::string>& paths);

}  // namespace copse
