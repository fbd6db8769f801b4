#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "option_values.h"
#include "parsing/treebank_parser.h"
#include "pipeline/pipeline.h"
#include "sentence_input.h"
#include "sentence_output.h"
#include "sentence_stream.h"

namespace copse {
namespace {

struct ParseCommandOptions {
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
};

void check_usage(const ParseCommandOptions& options) {
  expect_one_standard_input("--model", {options.model, options.input});
  if (options.kbest > 0 && options.decode == "mbr") {
    throw CLI::ValidationError("--kbest",
                               "the k best trees are the most probable ones; leave out --decode mbr");
  }
}

Model load_pipeline(const ParseCommandOptions& options) {
  const std::string path = model_path(options.model);
  Model pipeline = Model::load(path);
  if (options.prune.value_or(0.0) > 0.0 && pipeline.parser.pruner() == nullptr) {
    throw DataError(path + ": has no pruner; leave out --prune, or train a model with one");
  }
  if (options.tags == "always" && !pipeline.tagger) {
    throw DataError(path + ": has no tagger; leave out --tag always, or train a model with one");
  }
  return pipeline;
}

PipelineOptions pipeline_settings(const ParseCommandOptions& options) {
  PipelineOptions settings;
  settings.parse.parser.prune_threshold = options.prune;
  settings.parse.decoder = options.decode == "mbr" ? Decoder::mbr : Decoder::best;
  settings.parse.kbest = options.kbest;
  settings.parse.probabilities = options.probabilities || options.min_confidence;
  settings.parse.keep_heads = options.constraints;
  settings.tags = options.tags == "always"  ? TagUse::always
                  : options.tags == "never" ? TagUse::never
                                            : TagUse::when_missing;
  settings.labels = !options.no_labels;
  settings.min_confidence = options.min_confidence;
  settings.doubt = options.doubtful == "mark" ? Doubt::mark : Doubt::open;
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

void parse(const ParseCommandOptions& options) {
  check_usage(options);
  const Model pipeline = load_pipeline(options);
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  ProgressReport report(progress);
  TreebankParser parser(make_analysers(pipeline, pipeline_settings(options)), pool, output.writer(), report);
  const std::unique_ptr<SentenceReader> reader = open_sentences(
      options.input, options.input_format, pipeline.segmenter, position, [&parser] { parser.flush(); });
  for (Sentence sentence; reader->next(sentence);) parser.add(std::move(sentence));
  parser.flush();
  output.close();
  progress.finish();
}

}  // namespace

void add_parse(CLI::App& program) {
  CLI::App* command = program.add_subcommand("parse", "Find the trees of sentences with a trained model");
  command->footer(
      fmt::format("Reads sentences that are cut into words, with or without tags: CoNLL-U, CoNLL-X, FORM\n"
                  "POS HEAD, or lines of words (--input-format tokens). Writes them in the same order, and\n"
                  "in the same format unless it has none, each as soon as it is there: a pipe that stays\n"
                  "open gets its answers at once. HEAD and DEPREL are overwritten (DEPREL by _ if the\n"
                  "model knows no labels), all else is kept. Sentences without a tag are tagged first, if\n"
                  "the model can.\n\n"
                  "--constraints keeps the heads, and labels, that words already have: the rest of the\n"
                  "tree is the best one that goes with them. --min-confidence says what is doubtful: a\n"
                  "head less probable than that, and a label whose probability together with its head's\n"
                  "is. They become _, or are marked by Doubtful=Yes in MISC (--doubtful mark).\n\n"
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
  command->callback([options] { parse(*options); });
}

}  // namespace copse
