#pragma once

#include <optional>
#include <span>

#include "network/network_description.h"
#include "parser_training/training_set.h"

namespace copse {

struct NetworkContent {
  bool reads_tags = false;    // at the input
  bool predicts_tags = true;  // columns that the treebank has
  bool has_labels = true;     // if the treebank has any
  std::optional<WordVectors> vectors;
  bool standardises_vectors = true;        // makes others of the same words exchangeable
  const Vocabulary* characters = nullptr;  // of the encoder, if it has any; null: those of the sentences
};

// What a network for these sentences consists of: vocabularies, labels and values of tags, and with them the
// sizes that `shape` leaves open.
NetworkDescription describe_network(std::span<const TrainingSentence> sentences, const NetworkShape& shape,
                                    const NetworkContent& content);

}  // namespace copse
