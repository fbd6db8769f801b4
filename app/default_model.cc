#include "default_model.h"

#include <fmt/format.h>

#include "copse/error.h"
#include "pipeline/model_components.h"

namespace copse {

CLI::Option* add_model_option(CLI::App& command, std::string& model) {
  return command
      .add_option("--model", model, "What `copse train` has written, or the name of a model, such as english")
      ->option_text("FILE [the English model]");
}

std::string model_path(const std::string& model) {
  try {
    return find_model(model, COPSE_MODEL_FOLDER);
  } catch (const DataError& error) {
    if (!model.empty()) throw;
    throw DataError(fmt::format("{}; --model names one", error.what()));
  }
}

}  // namespace copse
