#include "training/network_train_options.h"

#include "training/shared_options.h"
#include "training/train_options.h"

namespace copse {
namespace {

TrainOption& of_networks(TrainOption& option) {
  option.scope = OptionScope::network;
  return option;
}

constexpr auto in_network(auto member) { return at(&TrainRequest::network, member); }

void add_sizes(SharedOptions<TrainRequest>& shared) {
  shared.layers(in_network(&NetworkRequest::layers));
  shared.hidden(in_network(&NetworkRequest::hidden));
  shared.part_size("arc_size", in_network(&NetworkRequest::arc_size),
                   "Size of the arc representation of each word", 1, 2048);
  shared.part_size("label_size", in_network(&NetworkRequest::label_size), "The same for labels", 1, 512);
  shared.part_size("rank", in_network(&NetworkRequest::rank), "Products that larger parts are scored by", 16,
                   512);
  shared.word_size(in_network(&NetworkRequest::word_size));
  shared.spelling_size(in_network(&NetworkRequest::spelling_size));
}

void add_inputs(OptionTable<TrainRequest>& table) {
  constexpr auto network = &TrainRequest::network;
  of_networks(table.file("vectors", at(network, &NetworkRequest::vectors),
                         "Vectors of words, of `copse vectors`, word2vec or fastText (.vec)"))
      .effect = OptionEffect::content;
  of_networks(
      table.file("encoder", at(network, &NetworkRequest::encoder),
                 "An encoder of `copse pretrain` to begin with; instead of vectors, and it decides sizes"))
      .effect = OptionEffect::content;
  of_networks(table.number("encoder_rate", at(network, &NetworkRequest::encoder_rate), {0.0, 1.0}, "R",
                           "How quickly it goes on learning, as a share of --rate"))
      .otherwise = fmt::format("{}", NetworkOptions().encoder_rate);
  of_networks(table.integer(
      "vector_words", at(network, &NetworkRequest::vector_words), {1, kMostOptionSize},
      "Keep the vectors of so many words, the first ones, also of those of --encoder: each takes "
      "about 112 bytes"));
  of_networks(
      table.name<Spelling>(
          "spelling", at(network, &NetworkRequest::spelling),
          {{"affixes", Spelling::affixes}, {"characters", Spelling::characters}, {"both", Spelling::both}},
          "How words are read beside their form: by prefixes, suffixes and shape, by characters, or by both"))
      .otherwise = "both, or as --encoder";
  of_networks(table.name<bool>("loss", at(network, &NetworkRequest::learning, &NetworkOptions::is_local),
                               {{"exact", false}, {"local", true}},
                               "exact: the probability of whole trees; local: every word chooses its head by "
                               "itself, first order only"));
}

void add_learning(OptionTable<TrainRequest>& table, SharedOptions<TrainRequest>& shared) {
  const auto learning = [](auto member) {
    return at(&TrainRequest::network, &NetworkRequest::learning, member);
  };
  shared.rate(learning(&NetworkOptions::rate), ", at the beginning; it falls to zero");
  shared.dropout(learning(&NetworkOptions::dropout));
  of_networks(table.number("tag_weight", learning(&NetworkOptions::tag_weight), {0.0, 100.0}, "W",
                           "How much tags count in the loss; 0: none are predicted"));
  shared.batch(learning(&NetworkOptions::batch_words)).otherwise = "by words";
  shared.batch_parts(learning(&NetworkOptions::parts));
  shared.precision(learning(&NetworkOptions::precision));
  shared.device(learning(&NetworkOptions::device));
}

}  // namespace

void add_network_options(OptionTable<TrainRequest>& table) {
  SharedOptions<TrainRequest> shared(table);
  table
      .name<bool>(
          "potentials", at(&TrainRequest::network, &NetworkRequest::is_used),
          {{"linear", false}, {"network", true}},
          "What scores parts: hashed features with weights, learnt in minutes, or a network, more accurate")
      .placeholder = "WHAT";
  shared.size(in_network(&NetworkRequest::size));
  add_inputs(table);
  add_sizes(shared);
  add_learning(table, shared);
}

}  // namespace copse
