#include "network_options.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "copse/error.h"
#include "current_team.h"
#include "option_values.h"
#include "vectors/vector_reader.h"

namespace copse {
namespace {

constexpr std::array kOfNetworks = {
    "--size",       "--vectors",      "--vector-words", "--layers",        "--hidden",      "--arc-size",
    "--label-size", "--rank",         "--word-size",    "--spelling-size", "--spelling",    "--rate",
    "--batch",      "--dropout",      "--tag-weight",   "--loss",          "--batch-parts", "--precision",
    "--encoder",    "--encoder-rate", "--device"};
constexpr std::array kOfHashedFeatures = {"--learner", "--l2",         "--l1",     "--features",
                                          "--coarse",  "--support",    "--cutoff", "--max-features",
                                          "--memory",  "--prune-folds"};

// An encoder decides its own sizes.
void expect_size(const std::string& file, const char* option, const std::optional<std::size_t>& asked,
                 std::size_t size) {
  if (!asked || *asked == size) return;
  throw DataError(
      fmt::format("{}: the encoder has {} where {} asks for {}; leave {} out, or take another encoder", file,
                  size, option, *asked, option));
}

void set_encoder(const NetworkTrainOptions& options, NetworkOptions& network) {
  PretrainedEncoder encoder = PretrainedEncoder::load(options.encoder);
  const NetworkShape& shape = encoder.shape();
  expect_size(options.encoder, "--layers", options.layers, shape.layers);
  expect_size(options.encoder, "--hidden", options.hidden, shape.hidden);
  expect_size(options.encoder, "--word-size", options.word_size, shape.word_size);
  expect_size(options.encoder, "--spelling-size", options.spelling_size, shape.spelling_size);
  encoder.set_sizes(network.shape);
  network.vectors = encoder.vectors().truncated(options.vector_words);
  network.encoder = std::move(encoder);
}

}  // namespace

CLI::Option* add_size_option(CLI::App& command, const std::string& name, std::optional<std::size_t>& value,
                             const std::string& what, std::size_t multiple, std::size_t most) {
  return command.add_option(name, value, what)
      ->check(CLI::Range(multiple, most))
      ->check([multiple](const std::string& text) {
        const bool fits = std::strtoull(text.c_str(), nullptr, 10) % multiple == 0;
        return fits ? std::string() : "must be a multiple of " + std::to_string(multiple);
      })
      ->option_text("N [by --size]");
}

CLI::Option* add_precision_option(CLI::App& command, std::optional<Precision>& precision) {
  return add_choice(
             command, "--precision", precision,
             [](const std::string& text) { return std::optional(parse_precision(text)); },
             {"auto", "float", "bfloat16"},
             "Of the factors of products while learning; auto: bfloat16 where the processor is quick with it")
      ->check([](const std::string& text) {
        const bool fits = text != name(Precision::bfloat16) || has_bfloat16();
        return fits ? std::string() : "bfloat16 is not available on this processor; take auto or float";
      })
      ->option_text("NAME [auto]");
}

CLI::Option* add_device_option(CLI::App& command, Device& device) {
  return add_choice(command, "--device", device, parse_device, {"cpu", "cuda"},
                    "What computes: the processor, or a GPU")
      ->option_text("NAME [cpu]");
}

void add_network_options(CLI::App& command, NetworkTrainOptions& options) {
  constexpr const char* kGroup = "Networks";
  add_choice(
      command, "--potentials", options.is_used,
      [](const std::string& text) { return std::optional<bool>(text == "network"); }, {"linear", "network"},
      "What scores parts: hashed features with weights, learnt in minutes, or a network, more accurate")
      ->option_text("WHAT [linear]");
  add_choice(command, "--size", options.size, parse_network_size, {"small", "standard", "large"},
             "Of the network: small parses fastest, large is the most accurate")
      ->option_text("NAME [standard]")
      ->group(kGroup);
  command
      .add_option("--vectors", options.vectors,
                  "Vectors of words, of `copse vectors`, word2vec or fastText (.vec)")
      ->option_text("FILE")
      ->group(kGroup);
  command
      .add_option("--encoder", options.encoder,
                  "An encoder of `copse pretrain` to begin with; instead of vectors, and it decides sizes")
      ->option_text("FILE")
      ->group(kGroup);
  command
      .add_option("--encoder-rate", options.learning.encoder_rate,
                  "How quickly it goes on learning, as a share of --rate")
      ->check(CLI::Range(0.0, 1.0))
      ->option_text("R [1]")
      ->group(kGroup);
  command
      .add_option("--vector-words", options.vector_words,
                  "Keep the vectors of so many words, the first ones, also of those of --encoder: each takes "
                  "about 112 bytes")
      ->check(CLI::PositiveNumber)
      ->option_text("N [60000]")
      ->group(kGroup);
  add_choice(command, "--spelling", options.spelling, parse_spelling, {"affixes", "characters"},
             "How words are read beside their form: by prefixes, suffixes and shape, or by characters")
      ->option_text("NAME [affixes]")
      ->group(kGroup);
  add_choice(
      command, "--loss", options.learning.is_local,
      [](const std::string& text) { return std::optional<bool>(text == "local"); }, {"exact", "local"},
      "exact: the probability of whole trees; local: every word chooses its head by itself, first order only")
      ->option_text("NAME [exact]")
      ->group(kGroup);
  add_size_option(command, "--layers", options.layers, "Layers of the encoder", 1, 8)->group(kGroup);
  add_size_option(command, "--hidden", options.hidden, "Units of a layer, in each direction", 16, 2048)
      ->group(kGroup);
  add_size_option(command, "--arc-size", options.arc_size, "Numbers that arcs are scored by, for each word",
                  1, 2048)
      ->group(kGroup);
  add_size_option(command, "--label-size", options.label_size, "The same for labels", 1, 512)->group(kGroup);
  add_size_option(command, "--rank", options.rank, "Products that larger parts are scored by", 16, 512)
      ->group(kGroup);
  add_size_option(command, "--word-size", options.word_size, "Numbers that are learnt for each word", 1, 1024)
      ->group(kGroup);
  add_size_option(command, "--spelling-size", options.spelling_size, "Numbers that its spelling makes", 2,
                  1024)
      ->group(kGroup);
  const auto add_number = [&](const std::string& name, float& value, const std::string& what, double least,
                              double most, const std::string& text) {
    command.add_option(name, value, what)->check(CLI::Range(least, most))->option_text(text)->group(kGroup);
  };
  add_number("--rate", options.learning.rate, "Of learning, at the beginning; it falls to zero", 1e-6, 1.0,
             "R [0.002]");
  add_number("--dropout", options.learning.dropout, "Share of the numbers that are left out while learning",
             0.0, 0.9, "P [0.33]");
  add_number("--tag-weight", options.learning.tag_weight,
             "How much tags count in the loss; 0: none are predicted", 0.0, 100.0, "W [0.3]");
  command.add_option("--batch", options.learning.batch_words, "Words that each step learns from")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [1000]")
      ->group(kGroup);
  command
      .add_option(
          "--batch-parts", options.learning.parts,
          "Parts of a batch: as many threads, of all processes, share it, and the model depends on it")
      ->check(CLI::Range(1, 64))
      ->option_text("N [4]")
      ->group(kGroup);
  add_precision_option(command, options.learning.precision)->group(kGroup);
  add_device_option(command, options.learning.device)->group(kGroup);
}

void check_device_usage(Device device) {
  if (device == Device::cpu || current_team().is_alone()) return;
  throw CLI::ValidationError("--device",
                             "a GPU learns in one process only: leave this out, or start one process");
}

void check_network_usage(const CLI::App& command, const NetworkTrainOptions& options) {
  check_device_usage(options.learning.device);
  const auto refuse = [&](const auto& names, const char* why) {
    for (const char* name : names) {
      if (command.count(name) > 0) throw CLI::ValidationError(name, why);
    }
  };
  if (!options.encoder.empty() && !options.vectors.empty()) {
    throw CLI::ValidationError("--vectors", "an encoder has vectors of its own: leave out this or --encoder");
  }
  if (!options.encoder.empty() && options.spelling != Spelling::affixes) {
    throw CLI::ValidationError("--spelling", "an encoder reads affixes: leave this or --encoder out");
  }
  if (options.encoder.empty() && command.count("--encoder-rate") > 0) {
    throw CLI::ValidationError("--encoder-rate", "is of an encoder: give --encoder, too");
  }
  if (options.is_used) {
    refuse(kOfHashedFeatures, "is about hashed features: leave it out, or take --potentials linear");
  } else {
    refuse(kOfNetworks, "is about networks: leave it out, or take --potentials network");
  }
}

NetworkOptions network_options(const NetworkTrainOptions& options, bool reads_tags, bool has_labels) {
  NetworkOptions network = options.learning;
  network.shape = shape_of(options.size);
  const auto set = [](const std::optional<std::size_t>& value, std::size_t& to) {
    if (value) to = *value;
  };
  set(options.layers, network.shape.layers);
  set(options.hidden, network.shape.hidden);
  set(options.arc_size, network.shape.arc_size);
  set(options.label_size, network.shape.label_size);
  set(options.rank, network.shape.rank);
  set(options.word_size, network.shape.word_size);
  set(options.spelling_size, network.shape.spelling_size);
  network.shape.spelling = options.spelling;
  network.reads_tags = reads_tags;
  network.predicts_tags = !reads_tags && network.tag_weight > 0.0F;
  network.has_labels = has_labels;
  if (!is_available(network.device)) throw DataError(why_unavailable(network.device));
  if (!options.encoder.empty()) set_encoder(options, network);
  if (!options.vectors.empty()) {
    VectorReadOptions reading;
    reading.max_words = options.vector_words;
    network.vectors = read_vectors(options.vectors, reading);
  }
  return network;
}

}  // namespace copse
