#include "sequence/sequence_trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "copse/error.h"
#include "optimisers/adagrad.h"
#include "optimisers/learner.h"
#include "parallel/team_values.h"
#include "sequence/candidate_dictionary.h"
#include "sequence/sequence_example.h"
#include "sequence/sequence_lists.h"
#include "sequence/sequence_objective.h"

namespace copse {
namespace {

constexpr std::size_t kBlock = 32;  // neighbouring sequences belong to one text and to one fold

// The coarse model is small and quick: it only has to see what is impossible.
constexpr double kCoarseL2 = 2.0;
constexpr int kCoarsePasses = 5;
constexpr double kCoarseUnit = 0.1;
constexpr double kCoarseSmallest = 0.15;

constexpr double kAdagradStep = 0.1;

int default_iterations(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 150 : 10; }

LatticeSet all_of(const SequenceSource& source) {
  LatticeSet set{&source, std::vector<std::size_t>(source.size()), {}};
  std::iota(set.sequences.begin(), set.sequences.end(), std::size_t{0});
  return set;
}

// Where the sequences of a source are among those of all processes.
Places places_of(const SequenceSource& source, Team& team) {
  std::vector<std::uint64_t> numbers(source.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = source.number(k);
  return find_places(team, numbers);
}

LabelRows label_rows(const WeightIndex& index, std::span<const float> weights, double unit, double smallest) {
  std::vector<LabelRows::Entry> entries;
  for (std::size_t k = 0; k < index.feature_labels.size(); ++k) {
    if (std::abs(weights[k]) < smallest) continue;
    entries.push_back({index.feature_labels[k].feature, index.feature_labels[k].label, weights[k]});
  }
  return {std::move(entries), unit};
}

TransitionWeights transition_weights(const WeightIndex& index, std::span<const float> weights, double unit) {
  std::vector<TransitionWeights::Entry> entries = index.transitions;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    entries[k].weight = weights[index.feature_labels.size() + k];
  }
  // Written in an order that compresses well.
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.before_that, a.before, a.label) < std::tie(b.before_that, b.before, b.label);
  });
  return {entries, unit};
}

// Candidate lists and a coarse model: no more than choosing candidates needs.
SequenceModel train_coarse(const CandidateLabels& lists, LatticeSet set,
                           const SequenceTrainingOptions& options, TaskPool& pool) {
  SequenceModel model;
  model.order = 0;
  model.labels = options.labels;
  model.candidates = lists;
  choose_candidates(model, true, set, pool);
  SequenceTrainingOptions coarse = options;
  coarse.candidate_cutoff = 0;
  const WeightIndex index = index_weights(set, 0, FeatureRange::coarse, coarse, pool);
  const std::vector<SequenceList> sequence_lists =
      list_weights(std::move(set), 0, FeatureRange::coarse, index, pool);
  const SequenceObjective objective(sequence_lists, index.size(), 0, 0.0);
  Adagrad learner(objective, {}, kCoarseL2, kAdagradStep, options.seed, pool);
  for (int pass = 0; pass < kCoarsePasses; ++pass) learner.iterate();
  model.coarse = label_rows(index, learner.weights(), kCoarseUnit, kCoarseSmallest);
  model.coarse_threshold = options.coarse_threshold;
  model.most_candidates = options.most_candidates;
  return model;
}

// A model knows its own training data too well, and would leave almost only gold labels there: so every
// sequence gets its candidates from a model that has not seen it.
CandidateTotals choose_on_held_out_folds(const CandidateLabels& lists, LatticeSet& training,
                                         const Places& places, const SequenceTrainingOptions& options,
                                         TaskPool& pool) {
  CandidateTotals counts;
  training.lattices.resize(training.sequences.size());
  const auto folds = static_cast<std::size_t>(options.coarse_folds);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    LatticeSet own{training.source, {}, {}};
    LatticeSet others{training.source, {}, {}};
    for (const std::size_t k : training.sequences) {
      (places.own[k] / kBlock % folds == fold ? own : others).sequences.push_back(k);
    }
    const SequenceModel held_out = train_coarse(lists, std::move(others), options, pool);
    counts += choose_candidates(held_out, true, own, pool);
    for (std::size_t k = 0; k < own.sequences.size(); ++k) {
      training.lattices[own.sequences[k]] = std::move(own.lattices[k]);
    }
  }
  return counts;
}

// Measures weights on the development data of all processes, quickly and often.
class DevelopmentLists {
 public:
  DevelopmentLists(std::vector<SequenceList> lists, int order, TaskPool& pool)
      : lists_(std::move(lists)),
        examples_(static_cast<std::size_t>(pool.threads()), SequenceExample(order)),
        wrong_(lists_.size()),
        pool_(&pool) {}

  double accuracy(std::span<const float> weights) {
    pool_->for_each(lists_.size(), [&](std::size_t k, int worker) {
      SequenceExample& example = examples_[static_cast<std::size_t>(worker)];
      example.assign(lists_[k], weights);
      wrong_[k] = example.wrong_labels();
    });
    std::int64_t sums[] = {std::accumulate(wrong_.begin(), wrong_.end(), std::int64_t{0}), 0};
    auto& [wrong, positions] = sums;
    for (const SequenceList& list : lists_)
      positions += static_cast<std::int64_t>(list.lattice.counts.size());
    pool_->team().add_up(sums);
    return positions == 0 ? 0.0 : 1.0 - static_cast<double>(wrong) / static_cast<double>(positions);
  }

 private:
  std::vector<SequenceList> lists_;
  std::vector<SequenceExample> examples_;  // by worker
  std::vector<int> wrong_;                 // by sequence
  TaskPool* pool_;
};

// The weights to keep.
std::vector<float> learn(std::span<const SequenceList> lists, std::size_t weights,
                         DevelopmentLists* development, const SequenceTrainingOptions& options,
                         TaskPool& pool, SequenceObserver& observer) {
  const SequenceObjective objective(lists, weights, options.order,
                                    minimises_loss(options.learner) ? options.margin : 0.0);
  const auto learner =
      make_learner(objective, {options.learner, options.l2, 0.0, kAdagradStep, options.seed}, {}, pool);
  const int iterations = options.iterations > 0 ? options.iterations : default_iterations(options.learner);
  TrainingLoop::Score score;
  if (development != nullptr) {
    score = [development](std::span<const float> now) { return development->accuracy(now); };
  }
  const auto sequences = static_cast<std::size_t>(pool.team().sum(static_cast<std::int64_t>(lists.size())));
  return TrainingLoop(*learner, sequences, {iterations, evaluation_period(options.learner), {}}, observer,
                      score)
      .run()
      .weights;
}

}  // namespace

SequenceModel train_sequence_model(const SequenceSource& training, const SequenceSource* development,
                                   const SequenceTrainingOptions& options, TaskPool& pool,
                                   SequenceObserver& observer) {
  const Places places = places_of(training, pool.team());
  if (places.all == 0) throw DataError("there is no sequence to learn from");
  if (options.learner == LearnerKind::mira) {
    throw std::invalid_argument("sequences are learnt by lbfgs, adagrad or perceptron");
  }
  if (development != nullptr && !pool.team().any(development->size() > 0)) development = nullptr;
  SequenceModel model;
  model.labels = options.labels;
  model.candidates = collect_candidates(training, options, pool.team());
  LatticeSet set = all_of(training);
  CandidateTotals counts;
  if (options.coarse_threshold > 0.0) {
    model = train_coarse(model.candidates, all_of(training), options, pool);
  }
  const auto folds = static_cast<std::size_t>(options.coarse_folds);
  if (options.coarse_threshold > 0.0 && folds > 1 && places.all / kBlock >= folds) {
    counts = choose_on_held_out_folds(model.candidates, set, places, options, pool);
  } else {
    counts = choose_candidates(model, true, set, pool);
  }
  model.order = options.order;
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all == 0 ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(part) / static_cast<double>(all);
  };
  CandidateTotals dev_counts;
  LatticeSet dev_set{development, {}, {}};
  if (development != nullptr) {
    dev_set = all_of(*development);
    dev_counts = choose_candidates(model, false, dev_set, pool);
  }
  observer.on_candidates({share(counts.candidates, counts.positions), share(counts.lost, counts.positions),
                          share(dev_counts.candidates, dev_counts.positions),
                          share(dev_counts.lost, dev_counts.positions)});

  const WeightIndex index = index_weights(set, options.order, FeatureRange::all, options, pool);
  observer.on_features(static_cast<std::int64_t>(index.feature_labels.size()),
                       static_cast<std::int64_t>(index.transitions.size()));
  std::optional<DevelopmentLists> development_lists;
  if (development != nullptr) {
    development_lists.emplace(list_weights(std::move(dev_set), options.order, FeatureRange::all, index, pool),
                              options.order, pool);
  }
  const std::vector<SequenceList> lists =
      list_weights(std::move(set), options.order, FeatureRange::all, index, pool);
  const std::vector<float> weights =
      learn(lists, index.size(), development_lists ? &*development_lists : nullptr, options, pool, observer);
  model.weights = label_rows(index, weights, options.unit, options.smallest);
  model.transitions = transition_weights(index, weights, options.unit);
  return model;
}

}  // namespace copse
