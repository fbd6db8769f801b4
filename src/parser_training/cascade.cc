#include "parser_training/cascade.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "optimisers/adagrad.h"
#include "optimisers/learner.h"
#include "parallel/team_values.h"
#include "parser_training/feature_selection.h"
#include "parser_training/make_model.h"
#include "parser_training/memory_budget.h"
#include "parser_training/tree_objective.h"
#include "parsing/arc_pruner.h"

namespace copse {
namespace {

constexpr double kPrunerL2 = 5.0;
constexpr double kPrunerStep = 0.1;
constexpr int kPrunerPasses = 8;
// The pruner looks at all arcs of a sentence, so its weights should fit into the caches of the processor.
constexpr std::size_t kPrunerFeatures = 300'000;
constexpr int kPrunerSelectionPasses = 2;
constexpr std::size_t kBlock = 32;  // neighbouring sentences belong to one text and to one fold

// Other models may be learnt at the same time: lists of features get `memory` bytes.
LinearModel learn_first_order(std::span<const TrainingSentence> sentences, const FeatureOptions& features,
                              const TrainingOptions& options, std::size_t memory, TaskPool& pool) {
  FeatureExtractor extractor(features, Factorization::first);
  FeatureIndex index = index_features(sentences, extractor, {}, pool);
  const std::size_t own = learner_bytes(LearnerKind::adagrad, index.size(), pool);
  FeatureLists lists(sentences, extractor, index, pool, memory > own ? memory - own : 0);
  const auto learn = [&](std::span<const float> start, int passes) {
    const TreeObjective objective(lists, options.root);
    Adagrad learner(objective, start, kPrunerL2, kPrunerStep, options.seed, pool);
    for (int pass = 0; pass < passes; ++pass) learner.iterate();
    const std::span<const float> weights = learner.weights();
    return std::vector<float>(weights.begin(), weights.end());
  };
  std::vector<float> weights;
  if (index.size() > kPrunerFeatures) {
    SelectedFeatures selected = select_features(index, learn({}, kPrunerSelectionPasses), kPrunerFeatures);
    index = std::move(selected.index);
    lists.renumber(index, selected.numbers, pool);
    weights = std::move(selected.weights);
  }
  return make_model(std::move(extractor), index, learn(weights, kPrunerPasses));
}

struct PruningCounts {
  std::int64_t words = 0;
  std::int64_t known_heads = 0;
  std::int64_t arcs = 0;
  std::int64_t lost = 0;

  PruningCounts& operator+=(const PruningCounts& other) {
    words += other.words;
    known_heads += other.known_heads;
    arcs += other.arcs;
    lost += other.lost;
    return *this;
  }
  PruningCounts operator+(const PruningCounts& other) const { return PruningCounts(*this) += other; }
  double arcs_per_word() const { return static_cast<double>(arcs) / static_cast<double>(words); }
  double lost_share() const { return static_cast<double>(lost) / static_cast<double>(known_heads); }

  void add_up(Team& team) {
    std::array<std::int64_t, 4> sums = {words, known_heads, arcs, lost};
    team.add_up(sums);
    *this = {sums[0], sums[1], sums[2], sums[3]};
  }
};

// Every arc of a partial tree that may be needed for some tree that agrees with it is kept: the pruner then
// runs under the same constraints once more.
PruningCounts prune_sentence(const TrainingSentence& example, ArcPruner& pruner, double threshold,
                             bool keep_gold, std::vector<Arc>& candidates) {
  PruningCounts counts;
  pruner.prune(example.sentence, {}, threshold, candidates);
  std::vector<std::uint8_t> has_gold(example.heads.size());
  for (const Arc& arc : candidates) {
    const auto modifier = static_cast<std::size_t>(arc.modifier);
    if (example.heads[modifier] == arc.head) has_gold[modifier] = 1;
  }
  std::vector<Arc> added;
  for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
    const auto word = static_cast<std::size_t>(modifier);
    if (example.heads[word] == kNoHead) continue;
    ++counts.known_heads;
    if (has_gold[word] != 0) continue;
    ++counts.lost;
    added.push_back({example.heads[word], modifier});
  }
  if (keep_gold) {
    if (!example.is_complete) {
      std::vector<Arc> agreeing;
      pruner.prune(example.sentence, Constraints{example.heads, {}}, threshold, agreeing);
      added.insert(added.end(), agreeing.begin(), agreeing.end());
    }
    candidates.insert(candidates.end(), added.begin(), added.end());
    const auto order = [](const Arc& a, const Arc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    };
    std::sort(candidates.begin(), candidates.end(), order);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }
  counts.words = example.sentence.size();
  counts.arcs = static_cast<std::int64_t>(candidates.size());
  return counts;
}

using CandidateLists = std::vector<std::vector<Arc>>;  // by sentence

// Sets the lists of some of the sentences.
PruningCounts prune_sentences(std::span<const TrainingSentence> sentences, std::span<const std::size_t> which,
                              const LinearModel& model, const TrainingOptions& options, bool keep_gold,
                              TaskPool& pool, CandidateLists& candidates) {
  struct Worker {
    ArcPruner pruner;
    PruningCounts counts;
  };
  std::vector<Worker> workers;
  workers.reserve(static_cast<std::size_t>(pool.threads()));
  for (int k = 0; k < pool.threads(); ++k) workers.push_back({ArcPruner(model, options.root), {}});
  pool.for_each(which.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    std::vector<Arc> arcs;
    worker.counts +=
        prune_sentence(sentences[which[k]], worker.pruner, options.prune_threshold, keep_gold, arcs);
    candidates[which[k]].assign(arcs.begin(), arcs.end());  // without slack
  });
  PruningCounts counts;
  for (const Worker& worker : workers) counts += worker.counts;
  return counts;
}

std::vector<std::size_t> numbers_below(std::size_t end) {
  std::vector<std::size_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

void move_to(std::span<TrainingSentence> sentences, CandidateLists&& candidates) {
  for (std::size_t k = 0; k < sentences.size(); ++k) sentences[k].candidates = std::move(candidates[k]);
}

// Learns the models that prune, and sets the candidates of training sentences.
class CrossFitting {
 public:
  // Borrows all but the features.
  CrossFitting(std::span<TrainingSentence> training, FeatureOptions features, const TrainingOptions& options,
               TaskPool& pool)
      : training_(training),
        features_(std::move(features)),
        options_(options),
        pool_(pool),
        places_(find_places(pool.team(), numbers_of(training))),
        candidates_(training.size()) {
    const auto blocks = (places_.all + kBlock - 1) / kBlock;
    folds_ = std::min(static_cast<std::size_t>(options.prune_folds), blocks);
    // One of them has seen all sentences; the others, if any, have not seen a fold each.
    models_ = folds_ < 2 ? 1 : folds_ + 1;
    counts_.resize(models_);
  }

  LinearModel run() {
    if (pool_.team().is_alone()) {
      learn_side_by_side();
    } else {
      for (std::size_t model = 0; model < models_; ++model)
        learn(model, memory_left(options_.memory, 0), pool_);
    }
    if (models_ == 1) counts_[0] = prune(numbers_below(training_.size()), *pruner_, pool_);
    move_to(training_, std::move(candidates_));
    return std::move(*pruner_);
  }

  // Of all sentences of the team.
  PruningCounts counts() const {
    PruningCounts all = std::accumulate(counts_.begin(), counts_.end(), PruningCounts());
    all.add_up(pool_.team());
    return all;
  }

 private:
  // The models do not depend on each other, and steps after small batches leave threads little to do at a
  // time: so the models are learnt side by side. The processes of a team learn one after the other together,
  // with the same result: each has only its own sentences.
  void learn_side_by_side() {
    TaskPool side_by_side(static_cast<int>(std::min(models_, static_cast<std::size_t>(pool_.threads()))));
    const std::size_t memory_each =
        memory_left(options_.memory, 0) / static_cast<std::size_t>(side_by_side.threads());
    const int threads_each = std::max(1, pool_.threads() / static_cast<int>(models_));
    side_by_side.for_each(models_, [&](std::size_t model, int) {
      TaskPool own_pool(threads_each);
      learn(model, memory_each, own_pool);
    });
  }

  void learn(std::size_t model, std::size_t memory, TaskPool& pool) {
    if (model == 0) {
      pruner_.emplace(learn_first_order(training_, features_, options_, memory, pool));
      return;
    }
    std::vector<TrainingSentence> others;
    std::vector<std::size_t> own;
    for (std::size_t k = 0; k < training_.size(); ++k) {
      const TrainingSentence& example = training_[k];
      if (places_.own[k] / kBlock % folds_ == model - 1)
        own.push_back(k);
      else
        others.push_back({example.sentence, example.heads, example.is_complete, {}, example.number});
    }
    const LinearModel held_out = learn_first_order(others, features_, options_, memory, pool);
    others = {};
    counts_[model] = prune(own, held_out, pool);
  }

  PruningCounts prune(std::span<const std::size_t> which, const LinearModel& model, TaskPool& pool) {
    return prune_sentences(training_, which, model, options_, true, pool, candidates_);
  }

  std::span<TrainingSentence> training_;
  FeatureOptions features_;
  const TrainingOptions& options_;
  TaskPool& pool_;
  Places places_;  // of the sentences among those of the team
  std::size_t folds_ = 0;
  std::size_t models_ = 0;
  std::optional<LinearModel> pruner_;
  std::vector<PruningCounts> counts_;  // by model
  CandidateLists candidates_;          // sentences themselves stay as they are while models learn
};

}  // namespace

LinearModel train_pruner(std::span<TrainingSentence> training, std::span<TrainingSentence> development,
                         const FeatureOptions& features, const TrainingOptions& options, TaskPool& pool,
                         PruningReport& report) {
  FeatureOptions pruner_features = features;
  pruner_features.set = FeatureSet::pruner;
  CrossFitting fitting(training, std::move(pruner_features), options, pool);
  LinearModel pruner = fitting.run();
  const PruningCounts all = fitting.counts();
  report.arcs_per_word = all.arcs_per_word();
  report.lost_gold_arcs = all.lost_share();
  report.dev_arcs_per_word = report.dev_lost_gold_arcs = std::numeric_limits<double>::quiet_NaN();
  CandidateLists dev_candidates(development.size());
  PruningCounts dev = prune_sentences(development, numbers_below(development.size()), pruner, options, false,
                                      pool, dev_candidates);
  move_to(development, std::move(dev_candidates));
  dev.add_up(pool.team());
  if (dev.words > 0) {
    report.dev_arcs_per_word = dev.arcs_per_word();
    report.dev_lost_gold_arcs = dev.lost_share();
  }
  return pruner;
}

}  // namespace copse
