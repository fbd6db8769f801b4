#include "training/crossing_arcs_trial.h"

#include <utility>

#include "copse/parse_options.h"
#include "labelling/labeller_trainer.h"
#include "parser_training/trainer.h"
#include "training/parse_scores.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

constexpr int kPasses = 5;
// Of arcs: a trial needs the same for all ways, not the last tenth of a point.
constexpr double kPruneThreshold = 5e-3;

// Of a trial, only its end is worth telling.
template <class Base>
class Silent : public Base {
 public:
  explicit Silent(TrainObserver& observer) : observer_(observer) {}
  bool should_stop() override { return observer_.should_stop(); }

 private:
  TrainObserver& observer_;
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

TryCrossingArcs short_trials(const TrainingOptions& options, bool has_labels, TaskPool& pool,
                             TrainObserver& observer) {
  return [options, has_labels, &pool, &observer](CrossingArcs way, std::vector<Sentence> sentences,
                                                 const std::vector<Sentence>& held_out) {
    observer.on_trial(way);
    const bool is_pseudo = way == CrossingArcs::pseudo;
    if (is_pseudo) {
      for (Sentence& sentence : sentences) pseudo_projective_encode(sentence, LiftScheme::head_and_path);
    }
    Silent<TrainingObserver> silent(observer);
    ModelComponents model{train(sentences, {}, trial_options(options, way), {}, pool, silent)};
    model.is_pseudo_projective = is_pseudo;
    if (has_labels) {
      Silent<SequenceObserver> labels(observer);
      LabellerTrainingOptions labelling;
      labelling.seed = options.seed;
      model.labeller = train_labeller(sentences, {}, labelling, pool, labels);
    }
    ParseOptions parsing;
    parsing.tags = TagUse::never;
    const Scores scores = parse_scores(model, parsing, held_out, pool);
    const CrossingArcsTrial trial{way, scores[Measure::uas].value(),
                                  has_labels ? scores[Measure::las].value() : 0.0};
    observer.on_trial_end(trial, has_labels);
    return trial;
  };
}

}  // namespace copse
