#include "treebank_input.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace copse {
namespace {

constexpr std::array<std::pair<std::string_view, ConllFormat>, 4> kFormats = {{
    {"detect", ConllFormat::detect},
    {"conllx", ConllFormat::conllx},
    {"conllu", ConllFormat::conllu},
    {"tab3", ConllFormat::tab3},
}};

}  // namespace

ConllReadOptions TreebankInput::read_options() const {
  ConllReadOptions options;
  options.format = conll_format(format);
  options.max_words = max_words;
  return options;
}

std::vector<Sentence> read_treebanks(const std::vector<std::string>& paths, int max_words) {
  ConllReadOptions options;
  options.max_words = max_words;
  std::vector<Sentence> sentences;
  for (const std::string& path : paths) {
    std::vector<Sentence> more = read_conll(path, options);
    std::move(more.begin(), more.end(), std::back_inserter(sentences));
  }
  return sentences;
}

ConllFormat conll_format(std::string_view name) {
  for (const auto& [known, value] : kFormats) {
    if (known == name) return value;
  }
  return ConllFormat::detect;
}

std::string_view format_name(ConllFormat format) {
  for (const auto& [name, value] : kFormats) {
    if (value == format) return name;
  }
  return {};
}

void add_max_words_option(CLI::App& command, int& max_words) {
  command.add_option("--max-words", max_words, "Refuse sentences with more words")
      ->check(CLI::Range(1, 10'000'000))
      ->option_text("N [10000]");
}

void add_treebank_input(CLI::App& command, TreebankInput& input) {
  std::vector<std::string> names;
  names.reserve(kFormats.size());
  for (const auto& [name, value] : kFormats) names.emplace_back(name);
  command
      .add_option("FILES", input.files,
                  "Treebank files and folders of them, gzip or zstd data too; - is the standard input")
      ->option_text("[-]");
  command.add_option("--format", input.format, "detect, conllx, conllu or tab3 (FORM POS HEAD)")
      ->check(CLI::IsMember(names))
      ->option_text("NAME [detect]");
  add_max_words_option(command, input.max_words);
}

}  // namespace copse
