#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "copse/error.h"
#include "default_model.h"
#include "io/byte_source.h"
#include "network_options.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_components.h"
#include "pipeline/stream_parser.h"
#include "render/text_width.h"
#include "sentence_input.h"
#include "sentence_output.h"
#include "sentence_stream.h"

namespace copse {
namespace {

struct ParseCommandOptions {
  Device device = Device::cpu;
  std::string model;
  std::string input = "-";
  std::string output = "-";
  std::string input_format;   // empty: find out
  std::string output_format;  // empty: that of the input
  int threads = 1;
  std::string decode = "best";
  int kbest = 0;
  bool probabilities = false;
  std::optional<double> prune;
  std::string tags = "missing";
  bool no_labels = false;
  bool constraints = false;
  std::optional<double> min_confidence;
  std::string doubtful = "open";
  std::string conflict = "error";
};

void check_usage(const ParseCommandOptions& options) {
  expect_one_standard_input("--model", {options.model, options.input});
  if (options.kbest > 0 && options.decode == "mbr") {
    throw CLI::ValidationError("--kbest",
                               "the k best trees are the most probable ones; leave out --decode mbr");
  }
}

Model load_model(const ParseCommandOptions& options) {
  const std::string path = model_path(options.model);
  Model model = Model::load(path);
  if (options.prune.value_or(0.0) > 0.0 && !model.components().parser.has_pruner()) {
    throw DataError(path + ": has no pruner; leave out --prune, or train a model with one");
  }
  if (options.tags == "always" && !model.has_tagger()) {
    throw DataError(path + ": has no tagger; leave out --tag always, or train a model with one");
  }
  return model;
}

ParseOptions parse_options(const ParseCommandOptions& command) {
  ParseOptions options;
  options.prune_threshold = command.prune;
  options.decoder = command.decode == "mbr" ? Decoder::mbr : Decoder::best;
  options.kbest = command.kbest;
  options.probabilities = command.probabilities;
  options.keep_known = command.constraints;
  options.drop_conflicts = command.conflict == "drop";
  options.tags = command.tags == "always"  ? TagUse::always
                 : command.tags == "never" ? TagUse::never
                                           : TagUse::when_missing;
  options.labels = !command.no_labels;
  options.min_confidence = command.min_confidence;
  options.device = command.device;
  options.low_confidence = command.doubtful == "mark" ? LowConfidence::mark : LowConfidence::open;
  return options;
}

// Tells the user how far the work is and what is not as it should be.
class ProgressReport : public ParsingObserver {
 public:
  ProgressReport(StreamProgress& progress, std::string input)
      : progress_(progress), input_(std::move(input)) {}

  void on_sentence(std::int64_t number, const PipelineItem& item) override {
    const Parse& parse = item.parse;
    if (!item.conflict.empty()) {
      ++conflicts_;
      say(number, item, item.conflict + "; the sentence is left as it was: mend it, or say --conflict drop");
      return;
    }
    if (!parse.dropped_heads.empty()) {
      say(number, item,
          fmt::format("{} did not go with the others and {} dropped",
                      counted(static_cast<std::int64_t>(parse.dropped_heads.size()), "known head"),
                      parse.dropped_heads.size() == 1 ? "was" : "were"));
    }
    if (parse.pieces > 1 || parse.had_to_prune) say(number, item, description_of_long(item));
    if (parse.untagged_words > 0) report_untagged(number, item);
  }

  void on_progress(std::int64_t sentences, std::int64_t words) override {
    progress_.advance(sentences, words);
  }

  // What there is to say at the end. Returns how many sentences could not be parsed as wanted.
  std::int64_t finish() {
    if (untagged_sentences_ > 1) {
      progress_.line().print(
          fmt::format("copse: {} in {} had no tags; their trees are hardly better than guessed",
                      counted(untagged_words_, "word"), counted(untagged_sentences_, "sentence")));
    }
    return conflicts_;
  }

 private:
  static std::string description_of_long(const PipelineItem& item) {
    std::string what = fmt::format("has {}; ", counted(item.sentence.size(), "word"));
    if (item.parse.pieces > 1) what += fmt::format("parsed in {} pieces", item.parse.pieces);
    if (item.parse.pieces > 1 && item.parse.had_to_prune) what += " and ";
    if (item.parse.had_to_prune) what += "pruned more than asked for, to save memory";
    return what;
  }

  void report_untagged(std::int64_t number, const PipelineItem& item) {
    untagged_words_ += item.parse.untagged_words;
    if (++untagged_sentences_ > 1) return;
    say(number, item,
        fmt::format(
            "{} no tag, and the model has learnt from words with tags; tag them (`copse tag`), or use a "
            "model with a tagger (`copse train --pipeline`)",
            item.parse.untagged_words == 1 ? "a word has"
                                           : counted(item.parse.untagged_words, "word") + " have"));
  }

  void say(std::int64_t number, const PipelineItem& item, std::string_view what) {
    std::string place = item.line > 0 ? fmt::format("{}:{}: ", printable(input_), item.line) : "";
    place += fmt::format("sentence {}", grouped(number));
    if (const auto id = item.sentence.sent_id()) place += fmt::format(" ({})", printable(*id));
    progress_.line().print(fmt::format("copse: {}{} {}", place, is_clause(what) ? "" : ":", what));
  }
  static bool is_clause(std::string_view what) { return what.starts_with("has "); }

  StreamProgress& progress_;
  std::string input_;
  std::int64_t conflicts_ = 0;
  std::int64_t untagged_words_ = 0;
  std::int64_t untagged_sentences_ = 0;
};

void parse(const ParseCommandOptions& options) {
  check_usage(options);
  const Model model = load_model(options);
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  ProgressReport report(progress, input_name(options.input));
  StreamParser parser(model, parse_options(options), pool, output.writer(), report);
  const std::unique_ptr<SentenceReader> reader =
      open_sentences(options.input, options.input_format, model.components().segmenter, position,
                     [&parser] { parser.flush(); });
  try {
    for (Sentence sentence; reader->next(sentence);) parser.add(std::move(sentence), reader->first_line());
  } catch (const DataError&) {
    parser.flush();  // what came before is good
    throw;
  }
  parser.flush();
  const std::int64_t conflicts = report.finish();
  output.close();
  progress.finish();
  if (conflicts > 0 && options.conflict == "error") {
    throw DataError(fmt::format("{} with known heads that no tree has; --conflict skip makes this no error",
                                counted(conflicts, "sentence")));
  }
}

}  // namespace

void add_parse(CLI::App& program) {
  CLI::App* command = program.add_subcommand("parse", "Find the trees of sentences with a trained model");
  command->footer(fmt::format(
      "Reads sentences that are cut into words, with or without tags: CoNLL-U, CoNLL-X, FORM\n"
      "POS HEAD, or lines of words (--input-format tokens). Writes them in the same order, and\n"
      "in the same format unless it has none, each as soon as it is there: a pipe that stays\n"
      "open gets its answers at once. HEAD and DEPREL are overwritten (DEPREL by _ if the\n"
      "model knows no labels); what an earlier parse has said about other trees goes, and all\n"
      "else is kept. Words get the tags that they lack first, if the model can.\n\n"
      "--constraints keeps the heads, and labels, that words already have: the rest of the\n"
      "tree is the best one that goes with them. Where no tree has all known heads, a message\n"
      "names the sentence, and --conflict says what happens to it.\n\n"
      "--min-confidence says what is doubtful: a head less probable than that, and a label whose\n"
      "probability together with its head's is. They become _, or are marked by Doubtful=Yes in\n"
      "MISC (--doubtful mark).\n\n"
      "--probabilities adds P=0.9321 to MISC, the probability of the word's arc, PDEPREL, that\n"
      "of its label given the tree, and the comments tree_log_probability and tree_entropy\n"
      "(of the tree without labels, in nats). --kbest writes the trees\n"
      "of a sentence as consecutive sentences, best first, with the comments kbest_rank and\n"
      "tree_probability; sent_id gets -k2, -k3 and so on from the second tree on. Both make\n"
      "CoNLL-U of other formats, which have no place for such things.\n\n"
      "Sentences of more than {} words are parsed in pieces; a message says so.\n\n"
      "Examples:\n"
      "  copse parse --model en.copse --input dev.conllu --output parsed.conllu\n"
      "  zcat corpus.conllu.gz | copse parse --model en.copse --threads 8 | gzip > parsed.gz\n"
      "  copse parse --model en.copse --probabilities < dev.conllu > parsed.conllu\n"
      "  copse parse --model en.copse --kbest 5 < dev.conllu | less\n"
      "  echo \"This works , too .\" | copse parse --input-format tokens --output-format tree\n"
      "  copse parse --model en.copse --constraints < half-annotated.conllu\n"
      "  copse parse --model en.copse --min-confidence 0.95 < dev.conllu > certain.conllu\n"
      "  copse parse --model en.copse --probabilities --output-format tree < dev.conllu",
      grouped(ParseOptions().max_whole_words)));
  auto options = std::make_shared<ParseCommandOptions>();
  add_model_option(*command, options->model);
  command->add_option("--input", options->input, "Sentences, gzip or zstd data too; - is the standard input")
      ->option_text("FILE [-]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  command
      ->add_option("--output-format", options->output_format,
                   "conllu, conllx, tab3, json, or a drawing: tree, svg, html, dot (docs/output.md)")
      ->check(CLI::IsMember(sentence_format_names()))
      ->option_text("NAME [as the input]");
  add_input_format(*command, options->input_format);
  add_threads_option(*command, options->threads);
  add_device_option(*command, options->device);
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
  command->add_option("--tag", options->tags, "Tag sentences whose tags are missing, or always, or never")
      ->check(CLI::IsMember({"missing", "always", "never"}))
      ->option_text("WHEN [missing]");
  command->add_flag("--no-labels", options->no_labels, "Leave DEPREL empty");
  command->add_flag("--constraints", options->constraints,
                    "Keep the heads and labels that words already have, and predict the rest");
  command
      ->add_option("--min-confidence", options->min_confidence,
                   "What is less probable is doubtful; implies --probabilities")
      ->check(CLI::Range(0.0, 1.0))
      ->option_text("P");
  command->add_option("--doubtful", options->doubtful, "open: write _ for it; mark: Doubtful=Yes in MISC")
      ->check(CLI::IsMember({"open", "mark"}))
      ->option_text("HOW [open]");
  command
      ->add_option(
          "--conflict", options->conflict,
          "Sentences of which no tree has all known heads: error: leave them as they are, and fail at "
          "the end; skip: leave them; drop: give up the fewest known heads")
      ->check(CLI::IsMember({"error", "skip", "drop"}))
      ->option_text("HOW [error]");
  command->callback([options] { parse(*options); });
}

}  // namespace copse
