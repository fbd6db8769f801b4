#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "copse/treebank/sentence.h"
#include "model_card.h"
#include "network_options.h"
#include "parallel/team.h"
#include "parser_training/training_options.h"
#include "run_files.h"

namespace copse {

struct TrainOptions {
  std::vector<std::string> train;
  std::vector<std::string> dev;
  std::string model;
  TrainingOptions training;
  std::optional<double> l2;
  std::optional<double> prune;
  std::optional<RootMode> root;
  int threads = 1;
  int max_words = ConllReadOptions().max_words;
  bool pipeline = false;
  std::optional<std::string> labels;  // none, two-stage or joint; without: two-stage if there are any
  std::optional<std::string> tags;    // gold, predicted, or none
  NetworkTrainOptions network;
  int folds = 10;
  std::string nonprojective = "best-match";  // pseudo, or auto
  bool is_factorization_given = false;
  bool is_memory_given = false;
  bool resume = false;
  std::string report;  // empty: none
  ModelCard card;

  // What was asked for, or what all trees are. Here and below, each process of a team has its own share of
  // the sentences.
  RootMode root_of(std::span<const Sentence> sentences, Team& team) const;
  bool learns_labeller(std::span<const Sentence> sentences, Team& team) const;
  // Whether a tagger is learnt beside the parser, whose tags the parser reads. A network needs none.
  bool predicts_tags() const { return tags ? *tags == "predicted" : pipeline && !network.is_used; }
  // Whether the parser reads tags at all.
  bool reads_tags() const { return tags ? *tags != "none" : !network.is_used; }

  RunFiles files() const { return {model, "--model", resume}; }
};

bool has_label(std::span<const Sentence> sentences, Team& team);

void add_train_options(CLI::App& command, TrainOptions& options);

// Throws CLI::ValidationError for options that do not go together.
void check_usage(const CLI::App& command, const TrainOptions& options);

TrainingOptions training_options(const TrainOptions& options);

}  // namespace copse
