#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "parser_training/network_options.h"

namespace copse {

// The options of `copse train` that are about networks.
struct NetworkTrainOptions {
  bool is_used = false;  // --potentials network
  NetworkSize size = NetworkSize::standard;
  std::string vectors;
  std::string encoder;
  std::size_t vector_words = 60'000;
  // What differs from the preset.
  std::optional<std::size_t> layers, hidden, arc_size, label_size, rank, word_size, spelling_size;
  Spelling spelling = Spelling::affixes;
  NetworkOptions learning;  // numbers of the learner alone
};

void add_network_options(CLI::App& command, NetworkTrainOptions& options);
// Options that make no sense without a network, or with one. Throws CLI::ValidationError.
void check_network_usage(const CLI::App& command, const NetworkTrainOptions& options);

// Options that other commands have, too.
CLI::Option* add_size_option(CLI::App& command, const std::string& name, std::optional<std::size_t>& value,
                             const std::string& what, std::size_t multiple, std::size_t most);
CLI::Option* add_precision_option(CLI::App& command, std::optional<Precision>& precision);
CLI::Option* add_device_option(CLI::App& command, Device& device);
// Throws CLI::ValidationError for a device that the current team cannot learn on.
void check_device_usage(Device device);

// Reads the vectors, or the encoder. DataError if these do not fit the other options.
NetworkOptions network_options(const NetworkTrainOptions& options, bool reads_tags, bool has_labels);

}  // namespace copse
