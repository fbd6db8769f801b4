#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "optimisers/learner_kind.h"
#include "optimisers/training_loop.h"
#include "parallel/task_pool.h"
#include "sequence/sequence_model.h"

namespace copse {

// The sequences to learn from: in a team of processes, this process's own ones. All functions are called from
// several threads at once.
class SequenceSource {
 public:
  // In development data: a label that training data does not have.
  static constexpr Label kUnknownLabel = kBoundaryLabel;

  virtual ~SequenceSource() = default;
  virtual std::size_t size() const = 0;
  // The sequences of all processes together are in the order of these numbers, and so are those of each.
  virtual std::uint64_t number(std::size_t sequence) const { return sequence; }
  // Overwrites the observations by those of a sequence. A worker has one call at a time.
  virtual void observe(std::size_t sequence, int worker, SequenceObservations& observations) const = 0;
  virtual std::span<const Label> gold(std::size_t sequence) const = 0;
};

// Of more labels than these, training takes care that time and memory do not grow with all of them: tags of
// usual treebanks are far fewer, composite tags and lemmas of agglutinating languages are thousands.
inline constexpr int kManySequenceLabels = 1024;

struct SequenceTrainingOptions {
  int order = 2;
  int labels = 0;  // they are 0..labels-1
  LearnerKind learner = LearnerKind::adagrad;
  double l2 = 1.0;      // of the objective - log-likelihood + l2 / 2 * |w|^2
  double margin = 0.0;  // added to the score of wrong labels while learning, as in TrainingOptions
  int iterations = 0;   // 0: the learner's default
  std::uint64_t seed = 1;

  // Candidates. A key that was seen so often has a list: the labels seen with it. The first keys of positions
  // count by themselves, and all others.
  int fewest_for_list = 50;
  int fewest_for_general_list = 50;
  std::size_t longest_list = SIZE_MAX;  // longer ones are cut to their most frequent labels
  double coarse_threshold = 0.0;        // 0: no coarse pass
  int most_candidates = 12;
  int coarse_folds = 2;  // models that choose candidates for each other's training data

  // A feature gets a weight for the labels that it was seen with at least `cutoff` times, and for those that
  // were candidates beside it at least `candidate_cutoff` times (0: for none).
  int cutoff = 1;
  int candidate_cutoff = 0;

  // Weights are kept as multiples of `unit`. Those below `smallest` are left out.
  double unit = 0.0625;
  double smallest = 0.0;
};

struct CandidateReport {
  double per_position = 0.0;      // of the training data, gold labels included
  double lost = 0.0;              // share of the gold labels that would not have been candidates
  double dev_per_position = 0.0;  // NaN without development data
  double dev_lost = 0.0;
};

// Hears how the training goes. All calls come from the thread that trains.
class SequenceObserver : public IterationObserver {
 public:
  virtual void on_candidates(const CandidateReport&) {}
  virtual void on_features(std::int64_t /*label_weights*/, std::int64_t /*transition_weights*/) {}
};

// Learns a model. With development data (not null), the weights of the iteration that gets the most labels
// right there are taken, otherwise the last ones. The same model for any number of threads and processes, in
// all of which development data is null or in none. Throws DataError when there is nothing to learn from.
SequenceModel train_sequence_model(const SequenceSource& training, const SequenceSource* development,
                                   const SequenceTrainingOptions& options, TaskPool& pool,
                                   SequenceObserver& observer);

}  // namespace copse
