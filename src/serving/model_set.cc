#include "serving/model_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse {

ModelSet::ModelSet(std::vector<NamedModel> models) : models_(std::move(models)) {
  for (std::size_t k = 0; k < models_.size(); ++k) {
    const auto is_same = [&](const NamedModel& other) { return other.name == models_[k].name; };
    if (std::find_if(models_.begin(), models_.begin() + static_cast<std::ptrdiff_t>(k), is_same) !=
        models_.begin() + static_cast<std::ptrdiff_t>(k)) {
      throw DataError(fmt::format("two models are called {}; give each a name of its own", models_[k].name));
    }
  }
}

const NamedModel& ModelSet::find(std::string_view name) const {
  if (name.empty()) return default_model();
  const auto found = std::find_if(models_.begin(), models_.end(),
                                  [&](const NamedModel& model) { return model.name == name; });
  if (found != models_.end()) return *found;
  std::string names;
  for (const NamedModel& model : models_) names += (names.empty() ? "" : ", ") + model.name;
  throw RequestError(400, fmt::format("there is no model {}; the models are: {}", copse::quoted(name), names),
                     "model");
}

}  // namespace copse
