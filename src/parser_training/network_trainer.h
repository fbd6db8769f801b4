#pragma once

#include <span>

#include "parser_training/network_options.h"
#include "parser_training/trainer.h"

namespace copse {

// Learns a model whose potentials come from a network: train() in trainer.h says the rest. With development
// data, the weights of the pass with the best LAS are taken, UAS where there are no labels. Every process of
// a team gathers all sentences.
ParserModel train_network(std::span<const Sentence> sentences, std::span<const Sentence> development,
                          const TrainingOptions& options, const NetworkOptions& network,
                          const CheckpointOptions& checkpoints, TaskPool& pool, TrainingObserver& observer);

}  // namespace copse
