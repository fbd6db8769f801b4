#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "copse/error.h"
#include "default_model.h"
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
  SentenceInputOptions input;
  std::string output = "-";
  std::string output_format;  // empty: that of the input
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
};

void check_usage(const ParseCommandOptions& options) {
  std::vector<std::string> files = options.input.files;
  files.push_back(options.model);
  expect_one_standard_input("--model", files);
  if (options.kbest > 0 && options.decode == "mbr") {
    throw CLI::ValidationError("--kbest",
                               "the k best trees are the most probable ones; leave out --decode mbr");
  }
  if (options.kbest_labels && options.kbest == 0) {
    throw CLI::ValidationError("--kbest-labels", "says what the trees of --kbest are; say how many, too");
  }
  if (options.kbest_labels && options.no_labels) {
    throw CLI::ValidationError("--kbest-labels", "is about labels; leave out --no-labels");
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
  const std::string why_not = options.kbest_labels ? model.components().why_no_labelled_trees() : "";
  if (!why_not.empty()) {
    throw DataError(fmt::format("{}: {}; leave out --kbest-labels", path, why_not));
  }
  return model;
}

ParseOptions parse_options(const ParseCommandOptions& command) {
  ParseOptions options;
  options.prune_threshold = command.prune;
  options.decoder = command.decode == "mbr" ? Decoder::mbr : Decoder::best;
  options.kbest = command.kbest;
  options.kbest_labels = command.kbest_labels;
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
  explicit ProgressReport(StreamProgress& progress) : progress_(progress) {}

  // Where the sentences come from; must outlive the object.
  void set_input(const SentenceInput& input) { input_ = &input; }

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
    if (!parse.ignored_labels.empty()) {
      const bool is_one = parse.ignored_labels.size() == 1;
      say(number, item,
          fmt::format("{} {}, and {} nothing about the rest: the model has no tree with {}",
                      counted(static_cast<std::int64_t>(parse.ignored_labels.size()), "known label"),
                      is_one ? "stays" : "stay", is_one ? "says" : "say", is_one ? "it" : "them"));
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
    const SentenceInput::Place from = input_->place(number);
    const std::string line = item.line > 0 ? fmt::format(":{}", item.line) : "";
    std::string place = fmt::format("{}{}: sentence {}", printable(from.file), line, grouped(from.number));
    if (const auto id = item.sentence.sent_id()) place += fmt::format(" ({})", printable(*id));
    progress_.line().print(fmt::format("copse: {}{} {}", place, is_clause(what) ? "" : ":", what));
  }
  static bool is_clause(std::string_view what) { return what.starts_with("has "); }

  StreamProgress& progress_;
  const SentenceInput* input_ = nullptr;
  std::int64_t conflicts_ = 0;
  std::int64_t untagged_words_ = 0;
  std::int64_t untagged_sentences_ = 0;
};

void parse(const ParseCommandOptions& options) {
  check_usage(options);
  const Model model = load_model(options);
  report_loss(options.output_format, options.probabilities || options.min_confidence || options.kbest > 0);
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format.empty() ? usual_output_format(options.input)
                                                                      : options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  ProgressReport report(progress);
  StreamParser parser(model, parse_options(options), pool, output.writer(), report);
  SentenceInput input(options.input, model.components().segmenter, position, [&parser] { parser.flush(); });
  report.set_input(input);
  try {
    for (Sentence sentence; input.next(sentence);) parser.add(std::move(sentence), input.first_line());
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
  CLI::App* command = program.add_subcommand("parse", "Find the trees of text, or of sentences");
  command->footer(fmt::format(
      "Reads text, and finds its sentences, words, tags and labelled trees; or sentences that are\n"
      "cut into words, with or without tags: CoNLL-U, CoNLL-X, FORM POS HEAD. What a file is, its\n"
      "first line tells; --input-format says it for lines of text or of words. Without --model,\n"
      "the English model that comes with Copse is used.\n\n"
      "Examples:\n"
      "  echo \"I saw the man with the telescope.\" | copse parse\n"
      "  echo \"I saw the man with the telescope.\" | copse parse --output-format tree\n"
      "  copse parse text.txt --output parsed.conllu\n"
      "  copse parse one.txt two.txt.gz three.conllu --probabilities --output parsed.conllu\n"
      "  copse parse text.txt --kbest 3 --output-format tree\n"
      "  copse parse captions.txt --input-format lines --ranges --sent-ids captions\n"
      "  copse parse dev.conllu --model mine.copse --threads 8 --output parsed.conllu\n"
      "  copse parse dev.conllu --min-confidence 0.95 --output certain.conllu\n"
      "  copse parse half-annotated.conllu --constraints\n"
      "  zcat corpus.conllu.gz | copse parse | gzip > parsed.gz\n\n"
      "Sentences are written in the order of the input, and in its format unless it has none\n"
      "(text becomes CoNLL-U, and so do files of several formats), each as soon as it is there: a\n"
      "pipe that stays open gets its answers at once. HEAD and DEPREL are overwritten (DEPREL by _\n"
      "if the model knows no labels); what an earlier parse has said about other trees goes, and\n"
      "all else is kept. Words get the tags that they lack first, if the model can.\n\n"
      "In text, empty lines end sentences; other line breaks are space, but a heading on a line of\n"
      "its own is a sentence (--no-headings: it is none unless an empty line follows). Several texts\n"
      "are told apart by the comment newdoc id.\n\n"
      "--constraints keeps the heads, and labels, that words already have: the rest of the\n"
      "tree is the best one that goes with them, and all probabilities are those given them.\n"
      "(What labels say about heads, networks and models trained with --labels joint know.)\n"
      "Where no tree has all known heads, a message names the sentence, and --conflict says what\n"
      "happens to it.\n\n"
      "--min-confidence says what is doubtful: a head less probable than that, and a label whose\n"
      "probability together with its head's is. They become _, or are marked by Doubtful=Yes in\n"
      "MISC (--doubtful mark).\n\n"
      "--probabilities adds P=0.9321 to MISC, the probability of the word's arc, PDEPREL, that\n"
      "of its label given the tree, and the comments tree_log_probability and tree_entropy\n"
      "(of the tree without labels, in nats). --kbest writes the trees\n"
      "of a sentence as consecutive sentences, best first, with the comments kbest_rank and\n"
      "tree_probability; sent_id gets -k2, -k3 and so on from the second tree on. Both make\n"
      "CoNLL-U of other formats, which have no place for such things.\n\n"
      "With --kbest-labels, they are the most probable pairs of a tree and labels, so that one tree\n"
      "may come several times with other labels; tree_probability is that of the pair. Networks\n"
      "and models trained with --labels joint have it.\n\n"
      "Sentences of more than {} words are parsed in pieces; a message says so.",
      grouped(ParseOptions().max_whole_words)));
  auto options = std::make_shared<ParseCommandOptions>();
  add_model_option(*command, options->model);
  add_sentence_input(*command, options->input);
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_output_format(*command, options->output_format);
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
  command->add_flag("--kbest-labels", options->kbest_labels,
                    "Of --kbest: labelled trees, of which one tree with other labels is another");
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
