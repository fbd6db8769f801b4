#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "copse/parallel/device.h"
#include "network/network_shape.h"
#include "network/packed_matrix.h"
#include "network/pretrained_encoder.h"
#include "parser_training/network_loss_options.h"
#include "vectors/word_vectors.h"

namespace copse {

// Sizes of networks that have proved good; docs/networks.md says what they cost and how accurate they are.
enum class NetworkSize { small, standard, large };
std::string_view name(NetworkSize size);
std::optional<NetworkSize> parse_network_size(std::string_view name);
std::string_view name(Spelling spelling);
std::optional<Spelling> parse_spelling(std::string_view name);

// What a network that is learnt consists of, and how it is learnt, beside what TrainingOptions say:
// factorization, trees, iterations (passes over the data), margin, seed and the threshold of pruning.
struct NetworkOptions {
  NetworkShape shape;         // what the data does not decide
  bool reads_tags = false;    // those of the treebank, at the input
  bool predicts_tags = true;  // the columns that the treebank has
  bool has_labels = true;     // if the treebank has any
  std::optional<WordVectors> vectors;
  // What the network begins with; the shape has its sizes then (PretrainedEncoder::set_sizes), tags are not
  // read, and the vectors are its own, all of them or the first ones.
  std::optional<PretrainedEncoder> encoder;
  float encoder_rate = 1.0F;  // what of it learns, at this share of the rate

  bool is_local = false;  // see NetworkLossOptions, as for the next
  float dropout = NetworkLossOptions().dropout;
  float tag_weight = NetworkLossOptions().tag_weight;
  double first_order_weight = NetworkLossOptions().first_order_weight;
  float rate = 2e-3F;
  std::optional<std::size_t> batch_words;  // none: default_batch()
  std::size_t parts = 4;                   // of a batch; see NetworkStepsOptions
  std::optional<Precision> precision;      // of products; none: the quickest
  Device device = Device::cpu;
};
NetworkShape shape_of(NetworkSize size);
// Passes over a treebank of so many words, unless a number is given: small treebanks need more of them.
int default_passes(std::int64_t words);
// Words of a batch, of a treebank of so many, unless a number is given: small treebanks need as many steps as
// large ones.
std::size_t default_batch(std::int64_t words);

}  // namespace copse
