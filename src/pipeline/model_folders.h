#pragma once

#include <string>
#include <vector>

namespace copse {

// The file that is meant by a path or by the name of a model; see Model::load().
std::string find_model(const std::string& path_or_name, const std::string& folder);

// The models that can be named, in the order of their names.
struct FoundModel {
  std::string name;  // such as english
  std::string path;
};
std::vector<FoundModel> list_models(const std::string& folder);

}  // namespace copse
