#include "copse/learning/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "copse/error.h"
#include "features/hashing.h"
#include "learning/cascade.h"
#include "learning/checkpoint.h"
#include "learning/development.h"
#include "learning/learner.h"
#include "learning/preparation.h"
#include "learning/weights_table.h"

namespace copse {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::string_view kRunFolder = "l2-";  // followed by the number

int default_iterations(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 200 : 10; }

// Steps of L-BFGS are many and small; passes are few and large.
int evaluation_period(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 5 : 1; }

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
                          const TrainingOptions& options, double l2) {
  const std::uint64_t hash = hash_text(fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", name(options.factorization), name(options.learner),
      name(options.root), name(features.set), name(features.coarse), features.has_lemmas, features.has_feats,
      l2, options.l1, options.margin, options.cutoff, options.candidate_features, options.seed, options.kbest,
      options.prune_threshold, options.prune_folds));
  return fingerprint(development, fingerprint(training, hash));
}

// A run with one choice of options.
class Run {
 public:
  Run(const TrainingProblem& problem, const TrainingOptions& options, const CheckpointFolder& folder,
      TaskPool& pool, TrainingObserver& observer, DevelopmentSet* development)
      : problem_(problem),
        options_(options),
        folder_(folder),
        observer_(observer),
        development_(development),
        learner_(make_learner(problem, options, pool)),
        iterations_(options.iterations > 0 ? options.iterations : default_iterations(options.learner)) {}

  // The weights to keep.
  BestWeights learn(bool resume) {
    int iteration = 0;
    bool goes_on = true;
    if (resume) {
      const RestoredRun restored = folder_.restore(*learner_, best_);
      iteration = restored.iteration;
      goes_on = !restored.has_ended;
      if (iteration > 0) observer_.on_resumed(iteration);
    }
    while (goes_on && iteration < iterations_) goes_on = iterate(++iteration);
    if (development_ == nullptr) {
      const std::span<const float> weights = learner_->weights();
      best_ = {iteration, -1.0, {weights.begin(), weights.end()}};
    } else if (best_.weights.empty()) {
      evaluate(iteration);  // a resumed run with no iteration left
    }
    return std::move(best_);
  }

 private:
  bool iterate(int iteration) {
    const Clock::time_point start = Clock::now();
    const bool goes_on = learner_->iterate();
    IterationReport report;
    report.seconds = seconds_since(start);
    report.iteration = iteration;
    report.iterations = iterations_;
    report.objective = learner_->progress().objective;
    report.gradient_norm = learner_->progress().gradient_norm;
    report.sentences_per_second = static_cast<double>(problem_.sentences.size()) / report.seconds;
    report.is_last = !goes_on || iteration == iterations_;
    if (development_ != nullptr && (report.is_last || iteration % evaluation_period(options_.learner) == 0)) {
      report.dev_uas = evaluate(iteration);
    }
    folder_.save(iteration, !goes_on, *learner_);
    observer_.on_iteration(report);
    if (!report.is_last && observer_.should_stop()) throw TrainingStopped();
    return goes_on;
  }

  double evaluate(int iteration) {
    const std::span<const float> weights = learner_->weights();
    const double uas = development_->uas(weights);
    if (uas > best_.uas) {
      best_ = {iteration, uas, {weights.begin(), weights.end()}};
      folder_.save_best(best_);
    }
    return uas;
  }

  const TrainingProblem& problem_;
  const TrainingOptions& options_;
  const CheckpointFolder& folder_;
  TrainingObserver& observer_;
  DevelopmentSet* development_;
  std::unique_ptr<Learner> learner_;
  int iterations_;
  BestWeights best_;
};

Model::Facts facts(const TrainingOptions& options, const PreparationReport& data, double l2,
                   const BestWeights& best, std::size_t features) {
  Model::Facts facts;
  facts.emplace_back("learner", name(options.learner));
  facts.emplace_back("iteration", fmt::format("{}", best.iteration));
  if (options.learner == LearnerKind::lbfgs || options.learner == LearnerKind::adagrad) {
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

Model train(std::span<const Sentence> sentences, std::span<const Sentence> development,
            const TrainingOptions& options, const CheckpointOptions& checkpoints, TaskPool& pool,
            TrainingObserver& observer) {
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
  const FeatureIndex index =
      index_features(training, extractor, {options.cutoff, options.candidate_features}, pool);
  if (index.size() == 0) throw DataError("no feature is frequent enough to get a weight: lower the cut-off");
  const std::vector<FeatureList> lists = list_features(training, extractor, index, pool);
  std::int64_t bytes = 0;
  for (const FeatureList& list : lists) {
    bytes += static_cast<std::int64_t>(list.features.size() * sizeof(list.features[0]) +
                                       list.lengths.size() * sizeof(list.lengths[0]));
  }
  observer.on_features(static_cast<std::int64_t>(index.size()), bytes);
  std::optional<DevelopmentSet> development_set;
  if (!dev.empty()) development_set.emplace(dev, extractor, index, options.root, pool);

  const TrainingProblem problem{training, lists, index.size(), options.factorization, options.root};
  const std::vector<double> choices =
      options.l2_choices.empty() ? std::vector<double>{options.l2} : options.l2_choices;
  if (choices.size() > 1 && dev.empty()) throw DataError("choosing l2 needs development data");
  BestWeights best;
  double best_l2 = 0.0;
  for (const double l2 : choices) {
    if (choices.size() > 1)
      observer.on_stage(fmt::format("training with l2 = {}", l2));
    else
      observer.on_stage("training");
    TrainingOptions choice = options;
    choice.l2 = l2;
    const std::string& path = checkpoints.folder;
    const CheckpointFolder folder(path.empty() ? path : fmt::format("{}/{}{}", path, kRunFolder, l2),
                                  fingerprint(training, dev, features, options, l2));
    if (!checkpoints.resume) folder.clear();
    BestWeights result =
        Run(problem, choice, folder, pool, observer, development_set ? &*development_set : nullptr)
            .learn(checkpoints.resume);
    if (best.weights.empty() || result.uas > best.uas) {
      best = std::move(result);
      best_l2 = l2;
    }
  }
  Model model(options.root, {std::move(extractor), weights_table(index, best.weights)},
              facts(options, preparation, best_l2, best, index.size()));
  if (pruner) model.set_pruner(std::move(*pruner), options.prune_threshold);
  return model;
}

}  // namespace copse
