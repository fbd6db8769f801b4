#include "parse_command.h"

#include <fmt/format.h>

#include "copse/error.h"
#include "default_model.h"
#include "pipeline/model_components.h"

namespace copse {

Model load_model(const ParseCommandOptions& options) {
  const std::string path = model_path(options.model);
  Model model = Model::load(path);
  if (options.prune.value_or(0.0) > 0.0 && !model.components().parser.has_pruner()) {
    throw DataError(path + ": has no pruner; leave out --prune, or train a model with one");
  }
  if (options.tags == "always" && !model.has_tagger()) {
    throw DataError(path + ": has no tagger; leave out --tag always, or train a model with one");
  }
  const std::string why_not = options.kbest_labels ? model.components().why_no_labelled_trees() : "";
  if (!why_not.empty()) throw DataError(fmt::format("{}: {}; leave out --kbest-labels", path, why_not));
  return model;
}

ParseOptions ParseCommandOptions::parse_options() const {
  ParseOptions options;
  options.prune_threshold = prune;
  options.decoder = decode == "mbr" ? Decoder::mbr : Decoder::best;
  options.kbest = kbest;
  options.kbest_labels = kbest_labels;
  options.probabilities = probabilities;
  options.keep_known = constraints;
  options.drop_conflicts = conflict == "drop";
  options.tags = tags == "always" ? TagUse::always : tags == "never" ? TagUse::never : TagUse::when_missing;
  options.labels = !no_labels;
  options.min_confidence = min_confidence;
  options.device = device;
  options.low_confidence = doubtful == "mark" ? LowConfidence::mark : LowConfidence::open;
  return options;
}

}  // namespace copse
