#include "learning/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "copse/error.h"
#include "features/hashing.h"
#include "learning/cascade.h"
#include "learning/checkpoint.h"
#include "learning/feature_selection.h"
#include "learning/label_lists.h"
#include "learning/make_model.h"
#include "learning/preparation.h"
#include "learning/template_selection.h"
#include "learning/training_run.h"
#include "parsing/calibration.h"

namespace copse {
namespace {

constexpr std::string_view kRunFolder = "l2-";  // followed by the number

constexpr std::size_t kMaxFeatures = 3'000'000;
constexpr std::size_t kMaxFirstOrderFeatures = 1'000'000;
// After so many it is clear which weights stay small.
constexpr int kSelectionSteps = 15;
constexpr int kSelectionPasses = 2;
// Templates go that together have less than this part of the weights that sentences meet. It is a small part
// of the weights, but half of the look-ups.
constexpr double kIdleShare = 0.05;

std::uint64_t fingerprint(std::span<const TrainingSentence> sentences, std::uint64_t start) {
  std::uint64_t hash = mix(start + sentences.size());
  for (const TrainingSentence& example : sentences) {
    hash = mix(hash + static_cast<std::uint64_t>(example.sentence.size()));
    for (int word = 1; word <= example.sentence.size(); ++word) {
      const Token& token = example.sentence[word];
      hash = mix(hash + hash_text(token.columns()) +
                 static_cast<std::uint64_t>(example.heads[static_cast<std::size_t>(word)]));
    }
  }
  return hash;
}

// Of whatever changes the course of a run.
std::uint64_t fingerprint(std::span<const TrainingSentence> training,
                          std::span<const TrainingSentence> development, const FeatureOptions& features,
                          const TrainingOptions& options, double l2, std::string_view purpose) {
  const std::uint64_t hash = hash_text(
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", name(options.factorization),
                  name(options.learner), name(options.root), name(options.trees), name(features.set),
                  name(features.coarse), features.has_lemmas, features.has_feats, l2, options.l1,
                  options.margin, options.cutoff, options.candidate_features, options.seed, options.kbest,
                  options.prune_threshold, options.prune_folds, options.max_features.value_or(kMaxFeatures),
                  options.joint_labels ? options.label_cutoff : -1, purpose));
  return fingerprint(development, fingerprint(training, hash));
}

bool minimises_loss(LearnerKind learner) {
  return learner == LearnerKind::lbfgs || learner == LearnerKind::adagrad;
}

ParserModel::Facts facts(const TrainingOptions& options, const PreparationReport& data, double l2,
                         const BestWeights& best, std::size_t features) {
  ParserModel::Facts facts;
  facts.emplace_back("learner", name(options.learner));
  facts.emplace_back("iteration", fmt::format("{}", best.iteration));
  if (minimises_loss(options.learner)) {
    facts.emplace_back("l2", fmt::format("{}", l2));
    facts.emplace_back("margin", fmt::format("{}", options.margin));
  }
  if (options.l1 > 0.0) facts.emplace_back("l1", fmt::format("{}", options.l1));
  facts.emplace_back("seed", fmt::format("{}", options.seed));
  facts.emplace_back("training sentences", fmt::format("{}", data.sentences));
  facts.emplace_back("training words", fmt::format("{}", data.words));
  facts.emplace_back("features", fmt::format("{}", features));
  if (best.uas >= 0.0) facts.emplace_back("development UAS", fmt::format("{:.4f}", best.uas));
  return facts;
}

FeatureReport report_of(const FeatureLists& lists) {
  return {static_cast<std::int64_t>(lists.index().size()), static_cast<std::int64_t>(lists.bytes()),
          static_cast<std::int64_t>(lists.size()), static_cast<std::int64_t>(lists.kept_lists())};
}

FeatureExtractor label_extractor(FeatureOptions features, Factorization factorization) {
  features.left_out.clear();
  features.set = FeatureSet::labels;
  return {features, factorization};
}

std::vector<TrainingSentence> development_sentences(std::span<const Sentence> sentences) {
  std::vector<TrainingSentence> result;
  for (const Sentence& sentence : sentences) {
    if (!sentence.empty()) result.push_back({sentence, sentence.heads(), true, {}});
  }
  return result;
}

}  // namespace

void remove_checkpoints(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const bool is_ours =
        entry.is_directory(ignored) && entry.path().filename().string().starts_with(kRunFolder);
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
  observer.on_stage("preparing the training data");
  PreparationReport preparation;
  std::vector<TrainingSentence> training = prepare_training_set(sentences, options, preparation);
  observer.on_prepared(preparation);
  if (training.empty()) throw DataError("there is no sentence to learn from: give sentences with heads");
  std::vector<TrainingSentence> dev = development_sentences(development);

  const CoarseRule coarse = options.coarse ? *options.coarse : choose_coarse_rule(sentences);
  const FeatureOptions features = choose_features(options.features, coarse, sentences);
  std::optional<LinearModel> pruner;
  if (options.factorization != Factorization::first && options.prune_threshold > 0.0) {
    observer.on_stage("training the first-order model that prunes arcs");
    PruningReport pruning;
    pruner.emplace(train_pruner(training, dev, features, options, pool, pruning));
    observer.on_pruned(pruning);
  }

  observer.on_stage("collecting features");
  FeatureExtractor extractor(features, options.factorization);
  const FeatureIndexOptions index_options{options.cutoff, options.candidate_features};
  FeatureIndex index = index_features(training, extractor, index_options, pool);
  if (index.size() == 0) throw DataError("no feature is frequent enough to get a weight: lower the cut-off");
  std::optional<LabelIndex> label_index;
  std::optional<LabelLists> label_lists;
  if (options.joint_labels) {
    label_index.emplace(
        index_labels(training, label_extractor(features, options.factorization), options.label_cutoff, pool));
    label_lists.emplace(training, *label_index, pool);
  }
  std::optional<FeatureLists> lists(std::in_place, training, extractor, index, pool, options.memory);
  if (label_lists) lists->set_labels(&*label_lists);
  observer.on_features(report_of(*lists));
  const auto folder_for = [&](double l2, std::string_view purpose) {
    const std::string& path = checkpoints.folder;
    CheckpointFolder folder(path.empty() ? path : fmt::format("{}/{}{}{}", path, kRunFolder, l2, purpose),
                            fingerprint(training, dev, features, options, l2, purpose));
    if (!checkpoints.resume) folder.clear();
    return folder;
  };

  std::vector<float> start;
  const std::size_t max_features = options.max_features.value_or(
      options.factorization == Factorization::first ? kMaxFirstOrderFeatures : kMaxFeatures);
  if (max_features > 0 && index.size() > max_features && minimises_loss(options.learner)) {
    observer.on_stage("finding out which features matter");
    TrainingOptions few = options;
    few.iterations = options.learner == LearnerKind::lbfgs ? kSelectionSteps : kSelectionPasses;
    const CheckpointFolder folder = folder_for(options.l2, "-selection");
    const BestWeights found =
        TrainingRun({&*lists, options.tree_space()}, few, folder, pool, observer, nullptr)
            .learn(checkpoints.resume);
    lists.reset();
    FeatureOptions fewer = features;
    fewer.left_out = idle_templates(training, extractor, index, found.weights, kIdleShare);
    extractor = FeatureExtractor(fewer, options.factorization);
    const FeatureIndex left = index_features(training, extractor, index_options, pool);
    std::vector<float> weights(left.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      weights[k] = found.weights[index.numbers.find(left.hashes[k])];
    }
    const std::span<const float> label_weights = std::span(found.weights).subspan(index.size());
    SelectedFeatures selected = select_features(left, weights, max_features);
    index = std::move(selected.index);
    start = std::move(selected.weights);
    start.insert(start.end(), label_weights.begin(), label_weights.end());
    lists.emplace(training, extractor, index, pool, options.memory);
    if (label_lists) lists->set_labels(&*label_lists);
    observer.on_features(report_of(*lists));
  }

  std::optional<DevelopmentSet> development_set;
  if (!dev.empty()) {
    development_set.emplace(dev, extractor, index, label_index ? &*label_index : nullptr,
                            options.tree_space(), pool);
  }
  const TrainingProblem problem{&*lists, options.tree_space(), start};
  const std::vector<double> choices =
      options.l2_choices.empty() ? std::vector<double>{options.l2} : options.l2_choices;
  if (choices.size() > 1 && dev.empty()) throw DataError("choosing l2 needs development data");
  BestWeights best;
  double best_l2 = 0.0;
  for (const double l2 : choices) {
    observer.on_stage(choices.size() > 1 ? fmt::format("training with l2 = {}", l2) : "training");
    TrainingOptions choice = options;
    choice.l2 = l2;
    const CheckpointFolder folder = folder_for(l2, "");
    BestWeights result =
        TrainingRun(problem, choice, folder, pool, observer, development_set ? &*development_set : nullptr)
            .learn(checkpoints.resume);
    if (best.weights.empty() || result.uas > best.uas) {
      best = std::move(result);
      best_l2 = l2;
    }
  }
  const std::span<const float> weights = best.weights;
  ParserModel model(options.tree_space(),
                    make_model(std::move(extractor), index, weights.first(index.size())),
                    facts(options, preparation, best_l2, best, index.size()));
  if (pruner) model.set_pruner(std::move(*pruner), options.prune_threshold);
  if (label_index) model.set_labels(make_label_model(*label_index, weights.subspan(index.size())));
  if (!dev.empty()) {
    observer.on_stage("calibrating probabilities");
    model.set_temperature(fit_temperature(model, development, pool));
    model.add_fact("temperature", fmt::format("{:.3f}", model.temperature()));
  }
  return model;
}

}  // namespace copse
