#pragma once

#include <string>
#include <vector>

namespace copse {

// For the facts of a model. Where the files lie is nobody's business but the user's, and it would make equal
// models differ.
std::string file_names(const std::vector<std::string>& paths);

}  // namespace copse
