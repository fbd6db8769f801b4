#include "default_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/error.h"
#include "pipeline/model_folders.h"
#include "segmentation/segmenter_model.h"

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

std::string fact_of(const ParserModel::Facts& facts, std::string_view key) {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [key](const auto& fact) { return fact.first == key; });
  return found == facts.end() ? std::string() : found->second;
}

std::vector<KnownLanguage> known_languages() {
  std::vector<KnownLanguage> languages;
  for (const FoundModel& model : known_models()) {
    try {
      const SectionFile file = SectionFile::open(model.path);
      if (!LanguageProfile::is_in(file) || !SegmenterModel::is_in(file)) continue;
      languages.push_back({model.name, model.path, fact_of(ParserModel::facts_of(file), "language"),
                           LanguageProfile::from_file(file)});
    } catch (const DataError&) {
      continue;  // nobody has asked for it here; `copse models` says what is wrong with it
    }
  }
  return languages;
}

std::vector<FoundModel> known_models() { return list_models(COPSE_MODEL_FOLDER); }

}  // namespace copse
