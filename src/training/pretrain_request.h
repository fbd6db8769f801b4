#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parallel/team.h"
#include "parser_training/network_options.h"
#include "pretraining/pretrainer.h"

namespace copse {

// What an encoder is to be learnt from, and how: everything that `copse pretrain` can be told.
// pretrain_options() describes every option. What is none is decided by others.
struct PretrainRequest {
  PretrainRequest() { learning.batches.passes = 10; }

  std::vector<std::string> text;
  std::vector<std::string> treebank;
  std::string output;
  std::string model;            // whose segmenter cuts the text; empty: the one that comes with Copse
  bool cuts_at_spaces = false;  // then there is no segmenter
  std::string licence;
  NetworkSize size = NetworkSize::standard;
  Spelling spelling = Spelling::affixes;
  std::optional<std::size_t> layers, hidden, word_size, spelling_size, affix_rows;
  PretrainingOptions learning;  // as far as nothing above decides
  std::optional<int> threads;   // those of the machine
  bool resume = false;

  // The names of the options that somebody has set; see RequestOption::set().
  std::set<std::string, std::less<>> given;

  static constexpr bool is_about_networks() { return true; }
  // Beside the encoder.
  std::string log() const { return output + ".log.jsonl"; }
  std::string checkpoints() const { return output + ".checkpoint"; }
};

// The request with what holds where it leaves something open: sizes, threads, and the precision that is
// the quickest for the whole team. Collective.
PretrainRequest effective_request(const PretrainRequest& request, Team& team);
// Of an effective request.
PretrainingOptions pretraining_options(const PretrainRequest& request);

}  // namespace copse
