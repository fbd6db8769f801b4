#include "training/model_facts.h"

#include <filesystem>

namespace copse {

std::string file_name(const std::string& path) {
  return path == "-" ? path : std::filesystem::path(path).filename().string();
}

std::string file_names(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths) {
    if (!names.empty()) names += ' ';
    names += file_name(path);
  }
  return names;
}

void write_card(const ModelCard& card, ParserModel& model) {
  if (!card.language.empty()) model.set_fact("language", card.language);
  if (!card.licence.empty()) model.set_fact("licence", card.licence);
  if (!card.attribution.empty()) model.set_fact("attribution", card.attribution);
  if (!card.description.empty()) model.set_fact("description", card.description);
}

void add_facts(const TrainRequest& request, const std::string& tags, ParserModel& model) {
  model.add_fact("training files", file_names(request.train));
  if (!request.dev.empty()) model.add_fact("development files", file_names(request.dev));
  if (!request.network.encoder.empty()) {
    model.add_fact("pretrained encoder", file_name(request.network.encoder));
    // What it was learnt from goes with the model, and so does the licence of that.
    for (const auto& [key, value] : model.network()->description().vectors->facts()) {
      if (key == "text" || key == "licence") model.add_fact(key + " of encoder", value);
    }
  }
  model.add_fact("tags", tags);
  model.add_fact("program", "copse " COPSE_VERSION);
  write_card(request.card, model);
}

}  // namespace copse
