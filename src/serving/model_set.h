#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model.h"

namespace copse {

struct NamedModel {
  std::string name;
  std::string path;  // as it was given
  Model model;
};

// The models that a server answers with: at least one. They are loaded once, and shared by all workers.
class ModelSet {
 public:
  // The first one is used where a request names none. Throws DataError for names that are not unique.
  explicit ModelSet(std::vector<NamedModel> models);

  std::span<const NamedModel> models() const { return models_; }
  const NamedModel& default_model() const { return models_.front(); }

  // Of that name; the default one for the empty name. Throws RequestError 400 that says which there are.
  const NamedModel& find(std::string_view name) const;

 private:
  std::vector<NamedModel> models_;
};

}  // namespace copse
