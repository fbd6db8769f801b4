#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "copse/model.h"
#include "copse/parse_options.h"
#include "open_sentences.h"

namespace copse {

// What `copse parse` is asked for.
struct ParseCommandOptions {
  Device device = Device::cpu;
  std::string model;
  SentenceInputOptions input;
  std::string output = "-";
  std::string output_format;  // empty: that of the input
  bool overwrite = false;
  std::uint64_t shard_bytes = std::uint64_t{4} << 20;
  int threads = 1;
  std::string decode = "best";
  int kbest = 0;
  bool kbest_labels = false;
  bool probabilities = false;
  std::optional<double> prune;
  std::string tags = "missing";
  bool no_labels = false;
  bool constraints = false;
  std::optional<double> min_confidence;
  std::string doubtful = "open";
  std::string conflict = "error";

  // Numbers that CoNLL-U alone has a place for.
  bool writes_probabilities() const { return probabilities || min_confidence || kbest > 0; }
  ParseOptions parse_options() const;
};

// The model, which must have what the options ask for; else DataError.
Model load_model(const ParseCommandOptions& options);

}  // namespace copse
