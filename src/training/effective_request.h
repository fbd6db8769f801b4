#pragma once

#include <cstdint>
#include <span>

#include "copse/treebank/sentence.h"
#include "parallel/team.h"
#include "pipeline/model_settings.h"
#include "training/train_request.h"

namespace copse {

// The request with what holds where it leaves something open, as far as that is known before the work: what
// options say together, and what the data decide. Each process of a team has its own share of the sentences.
TrainRequest effective_request(const TrainRequest& request, std::span<const Sentence> sentences, Team& team);

// Of an effective request.
TrainingOptions training_options(const TrainRequest& request);
// Reads the vectors, or the encoder, and notes the sizes in the request. DataError if these do not fit the
// other options.
NetworkOptions network_options(TrainRequest& request);

// What the model says about its making.
ModelSettings model_settings(const TrainRequest& request);
// Of the options that checkpoints depend on.
std::uint64_t fingerprint(const TrainRequest& request);

bool has_label(std::span<const Sentence> sentences, Team& team);

}  // namespace copse
