#include "train_settings.h"

#include <vector>

#include "training_files.h"

namespace copse {
namespace {

std::string support_name(const TrainingOptions& training) {
  return training.candidate_features ? "candidates" : "gold";
}

}  // namespace

void add_facts(const TrainOptions& options, const TrainingOptions& training, const std::string& tags,
               ParserModel& model) {
  model.add_fact("training files", file_names(options.train));
  if (!options.dev.empty()) model.add_fact("development files", file_names(options.dev));
  model.add_fact("longest sentence", std::to_string(training.max_length));
  if (model.network() == nullptr) {
    model.add_fact("cut-off", std::to_string(training.cutoff));
    model.add_fact("support", support_name(training));
  }
  if (model.pruner() != nullptr) model.add_fact("pruning folds", std::to_string(training.prune_folds));
  if (!options.network.encoder.empty()) {
    model.add_fact("pretrained encoder", file_names({options.network.encoder}));
    // What it was learnt from goes with the model, and so does the licence of that.
    for (const auto& [key, value] : model.network()->description().vectors->facts()) {
      if (key == "text" || key == "licence") model.add_fact(key + " of encoder", value);
    }
  }
  model.add_fact("tags", tags);
  model.add_fact("program", "copse " COPSE_VERSION);
  write_card(options.card, model);
}

nlohmann::ordered_json settings_json(const TrainOptions& options, const TrainingOptions& training) {
  return {
      {"program", "copse " COPSE_VERSION},
      {"train", options.train},
      {"dev", options.dev},
      {"factorization", name(training.factorization)},
      {"learner", name(training.learner)},
      {"root", name(training.root)},
      {"trees", name(training.trees)},
      {"features", name(training.features)},
      {"coarse", training.coarse ? nlohmann::ordered_json(name(*training.coarse)) : nullptr},
      {"l2", training.l2_choices.empty() ? std::vector<double>{training.l2} : training.l2_choices},
      {"l1", training.l1},
      {"margin", training.margin},
      {"patience", training.patience()},
      {"max_length", training.max_length},
      {"cutoff", training.cutoff},
      {"support", support_name(training)},
      {"max_features", training.max_features ? nlohmann::ordered_json(*training.max_features) : nullptr},
      {"memory", training.memory},
      {"prune", training.prune_threshold},
      {"prune_folds", training.prune_folds},
      {"seed", training.seed},
      {"pipeline", options.pipeline},
      {"labels", options.labels ? nlohmann::ordered_json(*options.labels) : nullptr},
      {"tags", options.predicts_tags() ? "predicted"
               : options.reads_tags()  ? "gold"
                                       : "none"},
      {"potentials", options.network.is_used ? "network" : "linear"},
      {"size", options.network.is_used ? nlohmann::ordered_json(name(options.network.size)) : nullptr},
      {"vectors",
       options.network.vectors.empty() ? nullptr : nlohmann::ordered_json(options.network.vectors)},
      {"encoder",
       options.network.encoder.empty() ? nullptr : nlohmann::ordered_json(options.network.encoder)},
      {"device", name(options.network.learning.device)},
      {"folds", options.folds},
      {"nonprojective", options.nonprojective},
      {"threads", options.threads},
      {"resume", options.resume},
  };
}

}  // namespace copse
