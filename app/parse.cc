#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "copse/error.h"
#include "copse/io/byte_source.h"
#include "copse/model/model.h"
#include "copse/parsing/treebank_parser.h"
#include "copse/treebank/conll.h"
#include "number_text.h"
#include "option_values.h"
#include "sentence_output.h"
#include "sentence_stream.h"
#include "watched_input.h"

namespace copse {
namespace {

struct ParseOptions {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  std::string output_format;  // empty: that of the input
  int threads = 1;
  std::string decode = "best";
  int kbest = 0;
  bool probabilities = false;
  std::optional<double> prune;
};

void check_usage(const ParseOptions& options) {
  expect_one_standard_input("--model", {options.model, options.input});
  if (options.kbest > 0 && options.decode == "mbr") {
    throw CLI::ValidationError("--kbest",
                               "the k best trees are the most probable ones; leave out --decode mbr");
  }
}

Model load_model(const ParseOptions& options) {
  Model model = Model::load(options.model);
  if (options.prune.value_or(0.0) > 0.0 && model.pruner() == nullptr) {
    throw DataError(options.model + ": has no pruner; leave out --prune, or train a model with one");
  }
  return model;
}

ParseSettings parse_settings(const ParseOptions& options) {
  ParseSettings settings;
  settings.parser.prune_threshold = options.prune;
  settings.decoder = options.decode == "mbr" ? Decoder::mbr : Decoder::best;
  settings.kbest = options.kbest;
  settings.probabilities = options.probabilities;
  return settings;
}

// Tells the user how far the work is and what is not as it should be.
class ProgressReport : public ParsingObserver {
 public:
  explicit ProgressReport(StreamProgress& progress) : progress_(progress) {}

  void on_long_sentence(std::int64_t number, int words, const ParsedSentence& parsed) override {
    std::string what;
    if (parsed.pieces > 1) what = fmt::format("parsed in {} pieces", parsed.pieces);
    if (parsed.had_to_prune) {
      what += what.empty() ? "" : " and ";
      what += "pruned more than asked for, to save memory";
    }
    progress_.line().print(
        fmt::format("copse: sentence {} has {}; {}", grouped(number), counted(words, "word"), what));
  }

  void on_progress(std::int64_t sentences, std::int64_t words) override {
    progress_.advance(sentences, words);
  }

 private:
  StreamProgress& progress_;
};

void parse(const ParseOptions& options) {
  check_usage(options);
  const Model model = load_model(options);
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  ProgressReport report(progress);
  TreebankParser parser(model, parse_settings(options), pool, output.writer(), report);
  ConllReadOptions read_options;
  read_options.validate_trees = false;  // the input's heads are not used: they need not be trees
  ConllReader reader(std::make_unique<WatchedInput>(options.input, position, [&parser] { parser.flush(); }),
                     input_name(options.input), read_options);
  for (Sentence sentence; reader.next(sentence);) parser.add(std::move(sentence));
  parser.flush();
  output.close();
  progress.finish();
}

}  // namespace

void add_parse(CLI::App& program) {
  CLI::App* command = program.add_subcommand("parse", "Find the trees of sentences with a trained model");
  command->footer(
      fmt::format("Reads CoNLL-U, CoNLL-X or FORM POS HEAD sentences with tags and writes them in the\n"
                  "same format and order, each as soon as it is there: a pipe that stays open gets its\n"
                  "answers at once. Everything is kept but the HEAD of the words, which is overwritten,\n"
                  "and DEPREL, which becomes _: the model knows no labels.\n\n"
                  "--probabilities adds P=0.9321 to MISC, the probability of the word's arc, and the\n"
                  "comments tree_log_probability and tree_entropy (in nats). --kbest writes the trees\n"
                  "of a sentence as consecutive sentences, best first, with the comments kbest_rank and\n"
                  "tree_probability; sent_id gets -k2, -k3 and so on from the second tree on. Both make\n"
                  "CoNLL-U of other formats, which have no place for such things.\n\n"
                  "Sentences of more than {} words are parsed in pieces; a message says so.\n\n"
                  "Examples:\n"
                  "  copse parse --model en.copse --input dev.conllu --output parsed.conllu\n"
                  "  zcat corpus.conllu.gz | copse parse --model en.copse --threads 8 | gzip > parsed.gz\n"
                  "  copse parse --model en.copse --probabilities < dev.conllu > parsed.conllu\n"
                  "  copse parse --model en.copse --kbest 5 < dev.conllu | less\n"
                  "  copse parse --model en.copse --probabilities --output-format tree < dev.conllu",
                  grouped(ParseSettings().max_piece_words)));
  auto options = std::make_shared<ParseOptions>();
  command->add_option("--model", options->model, "What `copse train` has written")
      ->required()
      ->option_text("FILE");
  command->add_option("--input", options->input, "Sentences, gzip or zstd data too; - is the standard input")
      ->option_text("FILE [-]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  command
      ->add_option("--output-format", options->output_format,
                   "conllu, conllx, tab3, json, or a drawing: tree, svg, html, dot (docs/output.md)")
      ->check(CLI::IsMember(sentence_format_names()))
      ->option_text("NAME [as the input]");
  add_threads_option(*command, options->threads);
  command
      ->add_option("--decode", options->decode,
                   "best: the most probable tree; mbr: the one with the most right arcs to expect")
      ->check(CLI::IsMember({"best", "mbr"}))
      ->option_text("NAME [best]");
  command
      ->add_option("--kbest", options->kbest,
                   "Write so many trees of each sentence, or all if there are fewer")
      ->check(CLI::Range(1, 10'000))
      ->option_text("K");
  command->add_flag("--probabilities", options->probabilities, "Write how probable arcs and trees are");
  add_prune_option(*command, options->prune,
                   "Leave out arcs that are EPS times less probable than the best head, by the model's "
                   "first-order pass; off: none")
      ->option_text("EPS|off [as trained]");
  command->callback([options] { parse(*options); });
}

}  // namespace copse
