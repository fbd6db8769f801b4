#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "evaluation/evaluator.h"
#include "model/parser_model.h"
#include "optimisers/training_loop.h"
#include "optimisers/training_stopped.h"
#include "parallel/task_pool.h"
#include "parser_training/training_options.h"

namespace copse {

// Reports are about the sentences of all processes of a team.

// What became of the training sentences.
struct PreparationReport {
  std::int64_t sentences = 0;  // that are learnt from
  std::int64_t words = 0;
  std::int64_t too_long = 0;       // left out
  std::int64_t without_heads = 0;  // left out: empty, or no word has a head
  std::int64_t partial = 0;        // some words have no head
  std::int64_t projectivized = 0;  // sentences: made projective, or single-rooted, as the options want it
  std::int64_t changed_heads = 0;  // of these
};

// What became of the development sentences that iterations are compared by.
struct DevelopmentReport {
  std::int64_t sentences = 0;      // that are looked at
  std::int64_t too_long = 0;       // left out
  std::int64_t too_large = 0;      // left out: too many parts
  std::int64_t without_heads = 0;  // left out
};

// What the first-order model left of the arcs.
struct PruningReport {
  double arcs_per_word = 0.0;      // of the training data, gold arcs included
  double lost_gold_arcs = 0.0;     // share of the gold arcs that would not have been kept as such
  double dev_arcs_per_word = 0.0;  // NaN without development data
  double dev_lost_gold_arcs = 0.0;
};

// Which features there are, and the lists of them that are kept in memory.
struct FeatureReport {
  std::int64_t features = 0;
  std::int64_t bytes_of_lists = 0;
  std::int64_t sentences = 0;
  std::int64_t kept_lists = 0;  // those of the other sentences are made anew in every pass
};

// Hears how a training run goes. All calls come from the thread that trains.
class TrainingObserver : public IterationObserver {
 public:
  // A part of the work begins: a phrase for people, such as "indexing features".
  virtual void on_stage(std::string_view /*what*/) {}
  virtual void on_prepared(const PreparationReport&) {}
  virtual void on_pruned(const PruningReport&) {}
  // When it is known which arcs are candidates; not without development data.
  virtual void on_development(const DevelopmentReport&) {}
  // When features have been collected, and again when some have been dropped.
  virtual void on_features(const FeatureReport&) {}
};

struct CheckpointOptions {
  std::string folder;   // none if empty; it is made, and stays until remove_checkpoints()
  bool resume = false;  // go on from what is in the folder, if anything
  // A fingerprint of the options that change the course of the run: a run is gone on with under the same
  // ones only. Sentences and what the trainers find in them have a fingerprint anyway.
  std::uint64_t options = 0;
};

// Learns a model from trees. Partial trees (kNoHead) are learnt from exactly. With development data, the
// weights of the iteration with the best UAS are taken, otherwise those of the last one. Throws DataError
// when there is nothing to learn from, or a checkpoint does not belong to this data and these options.
//
// In a team (pool.team()), every process calls this with its own share of the sentences, dealt out in turn
// (number_of_own()), and all return the model that one process would make of all of them. Perceptron and mira
// cannot be divided (DataError).
ParserModel train(std::span<const Sentence> sentences, std::span<const Sentence> development,
                  const TrainingOptions& options, const CheckpointOptions& checkpoints, TaskPool& pool,
                  TrainingObserver& observer);

// Removes the checkpoints in a folder, and the folder unless there is something else in it. To be called when
// the model is in a safe place.
void remove_checkpoints(const std::string& folder);

}  // namespace copse
