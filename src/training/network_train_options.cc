#include <limits>

#include "training/option_table.h"

namespace copse {
namespace {

struct Size {
  const char* name;
  std::optional<std::size_t> NetworkRequest::*field;
  const char* help;
  std::uint64_t multiple;
  double most;
};

void add_sizes(OptionTable& table) {
  const std::initializer_list<Size> sizes = {
      {"layers", &NetworkRequest::layers, "Layers of the encoder", 1, 8},
      {"hidden", &NetworkRequest::hidden, "Units of a layer, in each direction", 16, 2048},
      {"arc_size", &NetworkRequest::arc_size, "Size of the arc representation of each word", 1, 2048},
      {"label_size", &NetworkRequest::label_size, "The same for labels", 1, 512},
      {"rank", &NetworkRequest::rank, "Products that larger parts are scored by", 16, 512},
      {"word_size", &NetworkRequest::word_size, "Numbers that are learnt for each word", 1, 1024},
      {"spelling_size", &NetworkRequest::spelling_size, "Numbers that its spelling makes", 2, 1024},
  };
  for (const Size& size : sizes) {
    TrainOption& option = table.integer(size.name, at(&TrainRequest::network, size.field),
                                        {static_cast<double>(size.multiple), size.most}, size.help);
    option.multiple = size.multiple;
    option.otherwise = "by --size";
    option.scope = OptionScope::network;
  }
}

void add_inputs(OptionTable& table) {
  constexpr auto network = &TrainRequest::network;
  const auto of_networks = [](TrainOption& option) -> TrainOption& {
    option.scope = OptionScope::network;
    return option;
  };
  of_networks(table.name<NetworkSize>(
      "size", at(network, &NetworkRequest::size),
      {{"small", NetworkSize::small}, {"standard", NetworkSize::standard}, {"large", NetworkSize::large}},
      "Of the network: small parses fastest, large is the most accurate"));
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
      "vector_words", at(network, &NetworkRequest::vector_words),
      {1, static_cast<double>(std::numeric_limits<std::uint64_t>::max())},
      "Keep the vectors of so many words, the first ones, also of those of --encoder: each takes "
      "about 112 bytes"));
  of_networks(table.name<Spelling>(
      "spelling", at(network, &NetworkRequest::spelling),
      {{"affixes", Spelling::affixes}, {"characters", Spelling::characters}},
      "How words are read beside their form: by prefixes, suffixes and shape, or by characters"));
  of_networks(table.name<bool>("loss", at(network, &NetworkRequest::learning, &NetworkOptions::is_local),
                               {{"exact", false}, {"local", true}},
                               "exact: the probability of whole trees; local: every word chooses its head by "
                               "itself, first order only"));
}

void add_learning(OptionTable& table) {
  const auto learning = [](auto member) {
    return at(&TrainRequest::network, &NetworkRequest::learning, member);
  };
  const auto of_networks = [](TrainOption& option) -> TrainOption& {
    option.scope = OptionScope::network;
    return option;
  };
  of_networks(table.number("rate", learning(&NetworkOptions::rate), {1e-6, 1.0}, "R",
                           "Of learning, at the beginning; it falls to zero"));
  of_networks(table.number("dropout", learning(&NetworkOptions::dropout), {0.0, 0.9}, "P",
                           "Share of the numbers that are left out while learning"));
  of_networks(table.number("tag_weight", learning(&NetworkOptions::tag_weight), {0.0, 100.0}, "W",
                           "How much tags count in the loss; 0: none are predicted"));
  of_networks(table.integer("batch", learning(&NetworkOptions::batch_words), {1, 1'000'000},
                            "Words that each step learns from"));
  of_networks(table.integer(
      "batch_parts", learning(&NetworkOptions::parts), {1, 64},
      "Parts of a batch: as many threads, of all processes, share it, and the model depends on it"));
  // The fingerprint of a run has the precision that was found to be the quickest.
  TrainOption& precision = of_networks(table.name<std::optional<Precision>>(
      "precision", learning(&NetworkOptions::precision),
      {{"auto", std::nullopt}, {"float", Precision::float32}, {"bfloat16", Precision::bfloat16}},
      "Of the factors of products while learning; auto: bfloat16 where the processor is quick with it"));
  precision.effect = OptionEffect::resumable;
  of_networks(table.name<Device>("device", learning(&NetworkOptions::device),
                                 {{"cpu", Device::cpu}, {"cuda", Device::cuda}},
                                 "What computes: the processor, or a GPU"))
      .effect = OptionEffect::resumable;
}

}  // namespace

void add_network_options(OptionTable& table) {
  table
      .name<bool>(
          "potentials", at(&TrainRequest::network, &NetworkRequest::is_used),
          {{"linear", false}, {"network", true}},
          "What scores parts: hashed features with weights, learnt in minutes, or a network, more accurate")
      .placeholder = "WHAT";
  add_inputs(table);
  add_sizes(table);
  add_learning(table);
}

}  // namespace copse
