#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"

namespace copse {

// The options of commands that read treebanks.
struct TreebankInput {
  std::vector<std::string> files = {"-"};
  std::string format = "detect";
  int max_words = ConllReadOptions().max_words;

  ConllReadOptions read_options() const;
};

// --max-words, of commands that read sentences.
void add_max_words_option(CLI::App& command, int& max_words);

void add_treebank_input(CLI::App& command, TreebankInput& input);

// The sentences of all files, one after the other.
std::vector<Sentence> read_treebanks(const std::vector<std::string>& paths,
                                     int max_words = ConllReadOptions().max_words);

// By the same words as in --format; `detect` for any other.
ConllFormat conll_format(std::string_view name);
std::string_view format_name(ConllFormat format);

}  // namespace copse
