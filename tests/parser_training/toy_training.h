#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser_training/trainer.h"
#include "parsing/parser.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {

inline constexpr std::array kLearners{LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron,
                                      LearnerKind::mira};

// Writes down what it hears, and stops the run after some iterations.
class Listener : public TrainingObserver {
 public:
  explicit Listener(int stop_after = 0) : stop_after_(stop_after) {}

  void on_prepared(const PreparationReport& report) override { prepared = report; }
  void on_pruned(const PruningReport& report) override { pruned = report; }
  void on_development(const DevelopmentReport& report) override { development = report; }
  void on_features(const FeatureReport& report) override { features = (lists = report).features; }
  void on_resumed(int finished) override { resumed_after = finished; }
  void on_iteration(const IterationReport& report) override { iterations.push_back(report); }
  bool should_stop() override { return static_cast<int>(iterations.size()) == stop_after_; }

  PreparationReport prepared;
  std::optional<PruningReport> pruned;
  DevelopmentReport development;
  std::int64_t features = 0;
  FeatureReport lists;
  int resumed_after = 0;
  std::vector<IterationReport> iterations;

 private:
  int stop_after_;
};

inline std::vector<Sentence> toy_sentences(int count, std::uint32_t seed) {
  return read_text(toy_treebank(count, seed));
}

inline TrainingOptions toy_options(LearnerKind learner, Factorization factorization) {
  TrainingOptions options;
  options.learner = learner;
  options.factorization = factorization;
  options.features = FeatureSet::paper;
  options.root = RootMode::single;
  options.l2 = 0.1;
  options.iterations = learner == LearnerKind::lbfgs ? 12 : 4;
  return options;
}

// The share of words whose head the parser finds, of those that have one.
inline double uas(const copse::ParserModel& model, const std::vector<Sentence>& sentences,
                  const ParserOptions& options = {}) {
  Parser parser(model, options);
  int words = 0;
  int right = 0;
  for (const Sentence& sentence : sentences) {
    parser.assign(sentence);
    std::vector<int> heads(static_cast<std::size_t>(sentence.size()) + 1);
    parser.trees().best_tree(heads);
    for (int word = 1; word <= sentence.size(); ++word) {
      if (sentence[word].head() == kNoHead) continue;
      ++words;
      if (sentence[word].head() == heads[static_cast<std::size_t>(word)]) ++right;
    }
  }
  return static_cast<double>(right) / words;
}

inline std::string fact(const copse::ParserModel& model, const std::string& key) {
  for (const auto& [name, value] : model.facts()) {
    if (name == key) return value;
  }
  return "no such fact";
}

}  // namespace copse::testing
