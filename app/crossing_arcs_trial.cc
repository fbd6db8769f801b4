#include "crossing_arcs_trial.h"

#include <fmt/format.h>

#include <utility>

#include "copse/parse_options.h"
#include "labelling/labeller_trainer.h"
#include "number_text.h"
#include "parse_scores.h"
#include "parser_training/trainer.h"
#include "status_line.h"
#include "stop_signals.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

constexpr int kPasses = 5;
// Of arcs: a trial needs the same for all ways, not the last tenth of a point.
constexpr double kPruneThreshold = 5e-3;

// Nobody wants to know more of a trial than what it ends with.
template <class Observer>
class Silent : public Observer {
 public:
  bool should_stop() override { return StopSignals::received() != 0; }
};

TrainingOptions trial_options(TrainingOptions options, CrossingArcs way) {
  options.learner = LearnerKind::adagrad;
  options.iterations = kPasses;
  options.patience_iterations.reset();
  options.l1 = 0.0;
  options.l2_choices.clear();
  options.joint_labels = false;
  if (options.prune_threshold > 0.0) options.prune_threshold = kPruneThreshold;
  return with_crossing_arcs(std::move(options), way);
}

}  // namespace

TryCrossingArcs short_trials(const TrainingOptions& options, bool has_labels, TaskPool& pool) {
  return [options, has_labels, &pool](CrossingArcs way, std::vector<Sentence> sentences,
                                      const std::vector<Sentence>& held_out) {
    StatusLine line;
    line.print(fmt::format("trying --nonprojective: {}", name(way)));
    const bool is_pseudo = way == CrossingArcs::pseudo;
    if (is_pseudo) {
      for (Sentence& sentence : sentences) pseudo_projective_encode(sentence, LiftScheme::head_and_path);
    }
    Silent<TrainingObserver> observer;
    ModelComponents model{train(sentences, {}, trial_options(options, way), {}, pool, observer)};
    model.is_pseudo_projective = is_pseudo;
    if (has_labels) {
      Silent<SequenceObserver> labels;
      LabellerTrainingOptions labelling;
      labelling.seed = options.seed;
      model.labeller = train_labeller(sentences, {}, labelling, pool, labels);
    }
    ParseOptions parsing;
    parsing.tags = TagUse::never;
    const Scores scores = parse_scores(model, parsing, held_out, pool);
    const CrossingArcsTrial trial{way, scores[Measure::uas].value(),
                                  has_labels ? scores[Measure::las].value() : 0.0};
    line.print(has_labels ? fmt::format("  UAS {}, LAS {}", percent_text(trial.uas), percent_text(trial.las))
                          : fmt::format("  UAS {}", percent_text(trial.uas)));
    return trial;
  };
}

nlohmann::ordered_json choice_json(const CrossingArcsChoice& choice) {
  nlohmann::ordered_json trials = nlohmann::ordered_json::array();
  for (const CrossingArcsTrial& trial : choice.trials) {
    trials.push_back({{"way", name(trial.way)}, {"uas", trial.uas}, {"las", trial.las}});
  }
  return {{"way", name(choice.way)},
          {"trees", choice.trees},
          {"nonprojective_trees", choice.nonprojective_trees},
          {"trials", trials}};
}

}  // namespace copse
