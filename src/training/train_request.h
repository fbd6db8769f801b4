#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"
#include "parser_training/network_options.h"
#include "parser_training/training_options.h"
#include "training/crossing_arcs.h"

namespace copse {

// How labels are learnt.
enum class Labelling { none, two_stage, joint };
// Where the tags come from that the parser reads.
enum class TagSource { none, gold, predicted };

// What is asked for of a network. Values that are none are those of the size.
struct NetworkRequest {
  bool is_used = false;  // otherwise the model has hashed features
  NetworkSize size = NetworkSize::standard;
  std::string vectors;  // files; empty: none
  std::string encoder;
  std::optional<float> encoder_rate;
  std::size_t vector_words = 60'000;
  std::optional<std::size_t> layers, hidden, arc_size, label_size, rank, word_size, spelling_size;
  std::optional<Spelling> spelling;
  NetworkOptions learning;  // numbers of the learner alone
};

// What people must know of a model before they use it, and its weights do not say.
struct ModelCard {
  std::string language;
  std::string licence;
  std::string attribution;
  std::string description;
};

// What a model is to be made of, and how: everything that `copse train` and copse.train() can be told.
// train_options() describes every option. What is none is decided by others, or by the data.
struct TrainRequest {
  // The penalty that is to be chosen by development data.
  static constexpr double kChooseL2 = -1.0;

  std::vector<std::string> train;
  std::vector<std::string> dev;
  std::string model;
  TrainingOptions training;  // as far as nothing below decides
  std::optional<Factorization> factorization;
  std::optional<RootMode> root;
  std::optional<double> l2;
  std::optional<double> prune;
  std::optional<int> iterations;
  std::optional<std::size_t> memory;
  std::optional<Labelling> labels;
  std::optional<TagSource> tags;
  std::optional<CrossingArcs> crossing_arcs = CrossingArcs::best_match;  // none: what does best in trials
  int folds = 10;
  bool pipeline = false;
  NetworkRequest network;
  int max_words = ConllReadOptions().max_words;
  std::optional<int> threads;  // those of the machine
  bool resume = false;
  std::string report;  // a file for a page about the run; empty: none
  ModelCard card;

  // The names of the options that somebody has set; see RequestOption::set().
  std::set<std::string, std::less<>> given;

  bool is_about_networks() const { return network.is_used; }
  // Whether a tagger is learnt beside the parser, whose tags the parser reads. A network needs none.
  bool predicts_tags() const { return tags ? *tags == TagSource::predicted : pipeline && !network.is_used; }
  // Whether the parser reads tags at all.
  bool reads_tags() const { return tags ? *tags != TagSource::none : !network.is_used; }
  // Beside the model.
  std::string log() const { return model + ".log.jsonl"; }
  std::string checkpoints() const { return model + ".checkpoint"; }
};

}  // namespace copse
