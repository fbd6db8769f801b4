#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "io/byte_source.h"
#include "number_text.h"
#include "option_values.h"
#include "render/rendering.h"
#include "sentence_output.h"
#include "status_line.h"
#include "text/utf8.h"
#include "treebank/head_probability.h"
#include "treebank_input.h"

namespace copse {
namespace {

// Sentences by their numbers in the input, from 1 on.
struct SentenceRange {
  int64_t first = 1;
  int64_t last = std::numeric_limits<int64_t>::max();
};

struct ShowOptions {
  std::vector<std::string> files = {"-"};
  std::string format = "tree";
  std::string output = "-";
  std::string folder;
  std::string sentences;
  int max_words = ConllReadOptions().max_words;
  TerminalOptions terminal;
};

std::optional<int64_t> parse_number(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

// N, N-M or N-.
SentenceRange sentence_range(std::string_view text) {
  SentenceRange range;
  if (text.empty()) return range;
  const std::string_view first = text.substr(0, text.find('-'));
  const std::string_view last = first.size() == text.size() ? first : text.substr(first.size() + 1);
  const std::optional<int64_t> begin = parse_number(first);
  const std::optional<int64_t> end = last.empty() ? range.last : parse_number(last);
  if (!begin || !end || *end < *begin) {
    throw CLI::ValidationError("--sentences",
                               fmt::format("{} is no range of sentences; write 3, 3-5 or 3-", quoted(text)));
  }
  return {*begin, *end};
}

void check_probabilities(const Sentence& sentence, const std::string& place) {
  for (int word = 1; word <= sentence.size(); ++word) {
    try {
      head_probability(sentence[word]);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: word {}: {}", place, word, error.what()));
    }
  }
}

// Takes the sentences that are to be shown, all to one place or each to a file of its own.
class Show {
 public:
  explicit Show(const ShowOptions& options)
      : options_(options),
        range_(sentence_range(options.sentences)),
        is_drawing_(parse_render_format(options.format).has_value()) {
    if (options.folder.empty()) {
      output_.emplace(options.output, options.format, options.terminal);
    } else {
      make_folder();
    }
  }

  void run() {
    for (const std::string& path : options_.files) {
      ConllReadOptions reading;
      reading.max_words = options_.max_words;
      ConllReader reader(path, reading);
      for (Sentence sentence; number_ < range_.last && reader.next(sentence);) {
        if (++number_ < range_.first) continue;
        if (is_drawing_)
          check_probabilities(sentence, fmt::format("{}:{}", input_name(path), reader.first_line()));
        write(sentence);
      }
    }
    if (number_ < range_.first && !options_.sentences.empty()) {
      throw DataError(fmt::format("{}; --sentences {} is beyond the end", how_many(), options_.sentences));
    }
    if (output_) output_->close();
    const bool is_open = options_.sentences.ends_with('-');
    if (number_ < range_.last && !options_.sentences.empty() && !is_open) {
      StatusLine().print(
          fmt::format("copse: {}; --sentences {} goes beyond the end", how_many(), options_.sentences));
    }
  }

 private:
  std::string how_many() const {
    const bool is_one = number_ == 1;
    return fmt::format("there {} only {}", is_one ? "is" : "are", counted(number_, "sentence"));
  }

  void make_folder() const {
    std::error_code error;
    std::filesystem::create_directories(options_.folder, error);
    if (error) {
      throw DataError(fmt::format("{}: cannot make the folder: {}", options_.folder, error.message()));
    }
  }

  void write(const Sentence& sentence) {
    if (output_) {
      output_->writer().write(sentence);
      output_->emit();
      return;
    }
    const std::string name =
        fmt::format("{:06}.{}", number_, options_.format == "tree" ? "txt" : options_.format);
    const std::string path = (std::filesystem::path(options_.folder) / name).string();
    expect_no_input("--folder", path, options_.files);
    SentenceOutput file(path, options_.format, options_.terminal);
    file.writer().write(sentence);
    file.close();
  }

  const ShowOptions& options_;
  SentenceRange range_;
  bool is_drawing_;
  std::optional<SentenceOutput> output_;
  int64_t number_ = 0;  // of the last sentence that was read
};

}  // namespace

void add_show(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("show", "Draw the trees of treebank files, or write them as JSON");
  command->footer(
      "Reads trees that are there already, in CoNLL-U, CoNLL-X or FORM POS HEAD files, and\n"
      "draws them in the terminal, or as arc diagrams (svg, html), for Graphviz (dot), or writes\n"
      "them for programs (json, a line per sentence). Where MISC has the probabilities of arcs\n"
      "(as from `copse parse --probabilities`), doubtful arcs are marked. docs/output.md has the\n"
      "formats.\n\n"
      "Examples:\n"
      "  copse show dev.conllu | less -R\n"
      "  copse show dev.conllu --sentences 3-5 --format svg --output trees.svg\n"
      "  copse show dev.conllu --format svg --folder pictures\n"
      "  copse show --format json < dev.conllu | jq '.words[].form'");
  auto options = std::make_shared<ShowOptions>();
  command
      ->add_option("FILES", options->files, "Treebank files, gzip or zstd data too; - is the standard input")
      ->option_text("[-]");
  command->add_option("--format", options->format, "tree, svg, html, dot, json, or conllu, conllx, tab3")
      ->check(CLI::IsMember(sentence_format_names()))
      ->option_text("NAME [tree]");
  CLI::Option* output =
      command
          ->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
          ->option_text("FILE [-]");
  command
      ->add_option("--folder", options->folder,
                   "Write each sentence to a file of its own here: 000001.svg, ...")
      ->option_text("FOLDER")
      ->excludes(output);
  command
      ->add_option("--sentences", options->sentences,
                   "Only these, counted from 1 over all files: 3, 3-5 or 3-")
      ->option_text("RANGE");
  add_max_words_option(*command, options->max_words);
  add_terminal_options(*command, options->terminal);
  command->callback([options] {
    expect_one_standard_input("FILES", options->files);
    if (options->folder.empty()) expect_no_input("--output", options->output, options->files);
    Show(*options).run();
  });
}

}  // namespace copse
