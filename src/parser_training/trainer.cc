#include "parser_training/trainer.h"
#include "memory/resident_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "copse/error.h"
#include "features/hashing.h"
#include "features/sentence_parts.h"
#include "optimisers/checkpoint.h"
#include "optimisers/learner.h"
#include "optimisers/training_loop.h"
#include "parser_training/cascade.h"
#include "parser_training/development.h"
#include "parser_training/even_out.h"
#include "parser_training/feature_selection.h"
#include "parser_training/fingerprint.h"
#include "parser_training/label_lists.h"
#include "parser_training/make_model.h"
#include "parser_training/memory_budget.h"
#include "parser_training/preparation.h"
#include "parser_training/template_selection.h"
#include "parser_training/tree_objective.h"
#include "parsing/calibration.h"

namespace copse {
namespace {

constexpr std::string_view kRunFolder = "l2-";  // followed by the number

constexpr double kAdagradStep = 0.05;

// After so many steps it is clear which weights stay small. Their history is short, for it has to hold
// several times as many weights as later.
constexpr int kSelectionSteps = 15;
constexpr int kSelectionHistory = 3;
constexpr int kSelectionPasses = 2;
// Templates go that together have less than this part of the weights that sentences meet. It is a small part
// of the weights, but half of the look-ups.
constexpr double kIdleShare = 0.05;

// Of whatever changes the course of a run: beside the options, what the trainer has found in the data.
std::uint64_t fingerprint(std::span<const TrainingSentence> training,
                          std::span<const TrainingSentence> development, const FeatureOptions& features,
                          std::uint64_t options, double l2, std::string_view purpose, Team& team) {
  const std::uint64_t hash =
      mix(options + hash_text(fmt::format("5 {} {} {} {} {} {}", name(features.set), name(features.coarse),
                                          features.has_lemmas, features.has_feats, l2, purpose)));
  return fingerprint(development, fingerprint(training, hash, team), team);
}

ParserModel::Facts facts(const TrainingOptions& options, const PreparationReport& data, double l2,
                         const BestWeights& best, std::size_t features) {
  ParserModel::Facts facts;
  facts.emplace_back("iteration", fmt::format("{}", best.iteration));
  if (options.l2_choices.size() > 1) facts.emplace_back("chosen l2", fmt::format("{}", l2));
  facts.emplace_back("training sentences", fmt::format("{}", data.sentences));
  facts.emplace_back("training words", fmt::format("{}", data.words));
  facts.emplace_back("features", fmt::format("{}", features));
  if (best.score >= 0.0) facts.emplace_back("development UAS", fmt::format("{:.4f}", best.score));
  return facts;
}

FeatureReport report_of(const FeatureLists& lists, Team& team) {
  std::array<std::int64_t, 3> sums = {static_cast<std::int64_t>(lists.bytes()),
                                      static_cast<std::int64_t>(lists.size()),
                                      static_cast<std::int64_t>(lists.kept_lists())};
  team.add_up(sums);
  return {static_cast<std::int64_t>(lists.index().size()), sums[0], sums[1], sums[2]};
}

FeatureExtractor label_extractor(FeatureOptions features, Factorization factorization) {
  features.left_out.clear();
  features.set = FeatureSet::labels;
  return {features, factorization};
}

// A training run, stage after stage. In a team, every process has its own sentences and their features, and
// the same index and weights as the others.
class Training {
 public:
  Training(std::span<const Sentence> sentences, std::span<const Sentence> development,
           const TrainingOptions& options, const CheckpointOptions& checkpoints, TaskPool& pool,
           TrainingObserver& observer)
      : all_sentences_(sentences),
        all_development_(development),
        options_(options),
        checkpoints_(checkpoints),
        pool_(pool),
        team_(pool.team()),
        observer_(observer) {}

  ParserModel run() {
    prepare();
    prune();
    even_out(training_, options_.factorization, team_);
    even_out(development_, options_.factorization, team_);
    collect_features();
    keep_features_that_matter();
    const BestWeights best = learn_weights();
    return make_parser(best);
  }

 private:
  void prepare() {
    observer_.on_stage("preparing the training data");
    training_ = prepare_training_set(all_sentences_, options_, preparation_, team_);
    development_ = prepare_development_set(all_development_, options_, development_report_, team_);
    observer_.on_prepared(preparation_);
    if (preparation_.sentences == 0)
      throw DataError("there is no sentence to learn from: give sentences with heads");
    const CoarseRule coarse = options_.coarse ? *options_.coarse : choose_coarse_rule(all_sentences_, team_);
    features_ = choose_features(options_.features, coarse, all_sentences_, team_);
  }

  void prune() {
    if (options_.factorization != Factorization::first && options_.prune_threshold > 0.0) {
      observer_.on_stage("training the first-order model that prunes arcs");
      PruningReport pruning;
      pruner_.emplace(train_pruner(training_, development_, features_, options_, pool_, pruning));
      observer_.on_pruned(pruning);
    }
    if (!team_.any(!all_development_.empty())) return;
    remove_large_sentences(development_, options_, development_report_, team_);
    development_report_.sentences = team_.sum(static_cast<std::int64_t>(development_.size()));
    observer_.on_development(development_report_);
  }

  void collect_features() {
    observer_.on_stage("collecting features");
    extractor_.emplace(features_, options_.factorization);
    index_ = index_features(training_, *extractor_, index_options(), pool_);
    if (index_.size() == 0)
      throw DataError("no feature is frequent enough to get a weight: lower the cut-off");
    if (options_.joint_labels) {
      label_index_.emplace(index_labels(training_, label_extractor(features_, options_.factorization),
                                        options_.label_cutoff, pool_));
      const std::size_t before = resident_bytes();
      label_lists_.emplace(training_, *label_index_, pool_);
      label_bytes_ = static_cast<double>(std::max(before, resident_bytes()) - before);
    }
    if (selects_features()) index_.forget_hashes();  // another index will follow
    make_lists();
  }

  // Of the memory, the learner gets what it needs, and lists of training and development data share the rest.
  void make_lists() {
    const auto words_of = [](std::span<const TrainingSentence> sentences) {
      double words = 0.0;
      for (const TrainingSentence& example : sentences) words += example.sentence.size();
      return words;
    };
    const double words = std::max(1.0, words_of(training_));  // a process may have none
    const double share = words / (words + words_of(development_));
    // Labels of development data, workspaces, and copies of the weights: the best ones, and in checkpoints.
    const std::size_t weights = index_.size() + (label_index_ ? label_index_->size() : 0);
    const std::size_t others = static_cast<std::size_t>(label_bytes_ * (1.0 - share) / share) +
                               workspace_bytes() + weights * sizeof(float);
    const std::size_t left =
        memory_left(options_.memory, learner_bytes(options_.learner, weights, pool_, history()) + others);
    lists_.emplace(training_, *extractor_, index_, pool_,
                   static_cast<std::size_t>(share * static_cast<double>(left)));
    if (label_lists_) lists_->set_labels(&*label_lists_);
    observer_.on_features(report_of(*lists_, team_));
  }

  // Of all threads, for the largest sentence. About a dozen numbers are held for every part: potentials,
  // marginals, coefficients and sums on the way to them, of training and development data.
  std::size_t workspace_bytes() const {
    constexpr std::size_t kNumbersPerPart = 24;
    SentenceParts parts;
    std::int64_t most = 0;
    for (const TrainingSentence& example : training_) {
      parts.assign(example.sentence.size(), example.candidates, options_.factorization);
      most = std::max(most, static_cast<std::int64_t>(parts.parts().count()));
    }
    return static_cast<std::size_t>(most) * static_cast<std::size_t>(pool_.threads()) * kNumbersPerPart *
           sizeof(double);
  }

  bool selects_features() const {
    const std::size_t most = options_.most_features();
    return most > 0 && index_.size() > most && minimises_loss(options_.learner);
  }

  // While features are being selected there are several times as many weights as later.
  int history() const { return selects_features() ? kSelectionHistory : LearnerOptions().history; }

  // A few iterations tell which features matter. The run goes on from their weights, without the others.
  void keep_features_that_matter() {
    if (!selects_features()) return;
    observer_.on_stage("finding out which features matter");
    const int iterations = options_.learner == LearnerKind::lbfgs ? kSelectionSteps : kSelectionPasses;
    const BestWeights found = iterate(options_.l2, iterations, {}, nullptr, "-selection");
    lists_.reset();
    FeatureOptions fewer = features_;
    fewer.left_out = idle_templates(training_, *extractor_, index_, found.weights, kIdleShare, team_);
    extractor_.emplace(fewer, options_.factorization);
    const FeatureIndex left = index_features(training_, *extractor_, index_options(), pool_);
    std::vector<float> weights(left.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      weights[k] = found.weights[index_.numbers.find(left.hashes[k])];
    }
    const std::span<const float> label_weights = std::span(found.weights).subspan(index_.size());
    SelectedFeatures selected = select_features(left, weights, options_.most_features());
    index_ = std::move(selected.index);
    start_ = std::move(selected.weights);
    start_.insert(start_.end(), label_weights.begin(), label_weights.end());
    make_lists();
  }

  BestWeights learn_weights() {
    std::optional<DevelopmentSet> development;
    if (has_development()) {
      const std::size_t weights = lists_->weights();
      development.emplace(development_, *extractor_, index_, label_index_ ? &*label_index_ : nullptr,
                          options_.tree_space(), pool_,
                          memory_left(options_.memory, learner_bytes(options_.learner, weights, pool_) +
                                                           workspace_bytes() + weights * sizeof(float)));
    }
    const std::vector<double> choices =
        options_.l2_choices.empty() ? std::vector<double>{options_.l2} : options_.l2_choices;
    if (choices.size() > 1 && !development) throw DataError("choosing l2 needs development data");
    const int iterations = options_.most_iterations();
    BestWeights best;
    for (const double l2 : choices) {
      observer_.on_stage(choices.size() > 1 ? fmt::format("training with l2 = {}", l2) : "training");
      BestWeights result = iterate(l2, iterations, start_, development ? &*development : nullptr, "");
      if (best.weights.empty() || result.score > best.score) {
        best = std::move(result);
        l2_ = l2;
      }
    }
    return best;
  }

  BestWeights iterate(double l2, int iterations, std::span<const float> start, DevelopmentSet* development,
                      std::string_view purpose) {
    const bool has_loss = minimises_loss(options_.learner);
    const TreeObjective objective(
        *lists_, options_.tree_space(),
        {has_loss ? options_.margin : 0.0, has_loss ? LabelUse::sum : LabelUse::best});
    const auto learner = make_learner(
        objective,
        {options_.learner, l2, options_.l1, kAdagradStep, options_.seed, options_.kbest, history()}, start,
        pool_);
    TrainingLoop::Score score;
    if (development != nullptr) {
      score = [development](std::span<const float> weights) { return development->uas(weights); };
    }
    const CheckpointFolder folder = folder_for(l2, purpose);
    const std::int64_t examples = team_.sum(static_cast<std::int64_t>(lists_->size()));
    return TrainingLoop(*learner, static_cast<std::size_t>(examples),
                        {iterations, evaluation_period(options_.learner), {options_.patience()}}, observer_,
                        score)
        .run(folder, checkpoints_.resume);
  }

  CheckpointFolder folder_for(double l2, std::string_view purpose) const {
    const std::string& path = checkpoints_.folder;
    CheckpointFolder folder(
        path.empty() ? path : fmt::format("{}/{}{}{}", path, kRunFolder, l2, purpose),
        fingerprint(training_, development_, features_, checkpoints_.options, l2, purpose, team_), team_);
    if (!checkpoints_.resume) folder.clear();
    return folder;
  }

  ParserModel make_parser(const BestWeights& best) {
    const std::span<const float> weights = best.weights;
    lists_.reset();
    ParserModel model(options_.tree_space(),
                      make_model(std::move(*extractor_), index_, weights.first(index_.size())),
                      facts(options_, preparation_, l2_, best, index_.size()));
    if (pruner_) model.set_pruner(std::move(*pruner_), options_.prune_threshold);
    if (label_index_) model.set_labels(make_label_model(*label_index_, weights.subspan(index_.size())));
    if (has_development()) {
      observer_.on_stage("calibrating probabilities");
      model.set_temperature(fit_temperature(model, all_development_, pool_));
      model.add_fact("temperature", fmt::format("{:.3f}", model.temperature()));
    }
    return model;
  }

  // Whether any process has some.
  bool has_development() const { return development_report_.sentences > 0; }

  FeatureIndexOptions index_options() const { return {options_.cutoff, options_.candidate_features}; }

  std::span<const Sentence> all_sentences_;
  std::span<const Sentence> all_development_;
  const TrainingOptions& options_;
  const CheckpointOptions& checkpoints_;
  TaskPool& pool_;
  Team& team_;
  TrainingObserver& observer_;

  PreparationReport preparation_;
  DevelopmentReport development_report_;
  std::vector<TrainingSentence> training_;
  std::vector<TrainingSentence> development_;
  FeatureOptions features_;
  std::optional<LinearModel> pruner_;
  std::optional<FeatureExtractor> extractor_;
  FeatureIndex index_;
  std::optional<LabelIndex> label_index_;
  std::optional<LabelLists> label_lists_;
  double label_bytes_ = 0.0;  // of these
  std::optional<FeatureLists> lists_;
  std::vector<float> start_;
  double l2_ = 0.0;
};

}  // namespace

void remove_checkpoints(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = entry.is_directory(ignored) && (name.starts_with(kRunFolder) || name == kNetworkRun);
    if (is_ours) CheckpointFolder(entry.path().string(), 0).remove();
  }
  std::filesystem::remove(folder, ignored);
}

ParserModel train(std::span<const Sentence> sentences, std::span<const Sentence> development,
                  const TrainingOptions& options, const CheckpointOptions& checkpoints, TaskPool& pool,
                  TrainingObserver& observer) {
  if (options.trees == TreeKind::nonprojective && options.factorization != Factorization::first) {
    throw DataError("nonprojective trees need the first-order factorization");
  }
  check_division(options.learner, pool.team());
  return Training(sentences, development, options, checkpoints, pool, observer).run();
}

}  // namespace copse
