#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "network/network_description.h"
#include "parallel/task_pool.h"
#include "parser_training/training_options.h"
#include "parser_training/training_set.h"

namespace copse {

// Measures the weights of a network on development data, as they will be stored.
class NetworkDevelopment {
 public:
  // Borrows sentences, options and pool. Of a team, every process has all sentences.
  NetworkDevelopment(std::shared_ptr<const NetworkDescription> network,
                     std::span<const TrainingSentence> sentences, const TrainingOptions& options,
                     TaskPool& pool);

  // LAS, or UAS if there are no labels.
  std::string_view score_name() const { return network_->labels.empty() ? "UAS" : "LAS"; }
  // The share of words with the right head and label, all words counted. Collective.
  double score(std::span<const float> weights) const;

 private:
  std::shared_ptr<const NetworkDescription> network_;
  std::span<const TrainingSentence> sentences_;
  const TrainingOptions* options_;
  TaskPool* pool_;
};

}  // namespace copse
