#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "option_values.h"
#include "parse_any_language.h"
#include "parse_command.h"
#include "parse_folder.h"
#include "parse_report.h"
#include "pipeline/model_components.h"
#include "pipeline/stream_parser.h"
#include "render/text_width.h"
#include "sentence_input.h"
#include "sentence_output.h"
#include "sentence_stream.h"

namespace copse {
namespace {

void check_usage(const ParseCommandOptions& options) {
  std::vector<std::string> files = options.input.files;
  files.push_back(options.model);
  expect_one_standard_input("--model", files);
  if (!is_folder_name(options.output)) {
    files.back() = is_automatic(options) ? std::string() : model_path(options.model);
    expect_no_input("--output", options.output, files);
  }
  if (options.overwrite && !is_folder_name(options.output)) {
    throw CLI::ValidationError("--overwrite",
                               "is for a folder; leave it out, or put a / at the end of --output");
  }
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

// Where a sentence stands, for messages.
std::string place_of(const SentenceInput& input, std::int64_t number, const PipelineItem& item) {
  const SentenceInput::Place from = input.place(number);
  const std::string line = item.line > 0 ? fmt::format(":{}", item.line) : "";
  std::string place = fmt::format("{}{}: sentence {}", printable(from.file), line, grouped(from.number));
  if (const auto id = item.sentence.sent_id()) place += fmt::format(" ({})", printable(*id));
  return place;
}

void parse_to_file(const ParseCommandOptions& options) {
  const Model model = load_model(options);
  report_loss(options.output_format, options.writes_probabilities());
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format.empty() ? usual_output_format(options.input)
                                                                      : options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  const SentenceInput* sentences = nullptr;
  ParseReport report(
      progress.line(),
      [&sentences](std::int64_t number, const PipelineItem& item) {
        return place_of(*sentences, number, item);
      },
      [&progress](const ParseTotals& totals) { progress.advance(totals.sentences, totals.words); });
  report.watch_language(model.components());
  StreamParser parser(model, options.parse_options(), pool, output.writer(), report);
  SentenceInput input(options.input, model.components().segmenter, position, [&parser] { parser.flush(); });
  sentences = &input;
  try {
    for (Sentence sentence; input.next(sentence);) parser.add(std::move(sentence), input.first_line());
  } catch (const DataError&) {
    parser.flush();  // what came before is good
    throw;
  }
  parser.flush();
  report_untagged(report.totals(), progress.line());
  report_strange(report.totals(), progress.line());
  output.close();
  progress.finish();
  expect_no_conflicts(report.totals(), options.conflict);
}

void parse(const ParseCommandOptions& options) {
  check_usage(options);
  if (is_automatic(options)) return parse_in_any_language(options);
  if (!is_folder_name(options.output)) return parse_to_file(options);
  parse_to_folder(options);
}

}  // namespace

void add_parse(CLI::App& program) {
  CLI::App* command = program.add_subcommand("parse", "Find the trees of text, or of sentences");
  command->footer(fmt::format(
      "Reads text, and finds its sentences, words, tags and labelled trees; or sentences that are\n"
      "cut into words, with or without tags: CoNLL-U, CoNLL-X, FORM POS HEAD. What a file is, its\n"
      "name tells (.txt, .conllu, .conllx, .conll, .dp), or else its first line; --input-format says\n"
      "otherwise, and names lines of text or of words. Without --model, the English model that\n"
      "comes with Copse is used; `copse models` lists others. --model auto chooses one for each\n"
      "paragraph of a text, by its letters. Text that does not look like the language of the model\n"
      "is reported.\n\n"
      "Examples:\n"
      "  echo \"I saw the man with the telescope.\" | copse parse\n"
      "  echo \"I saw the man with the telescope.\" | copse parse --output-format tree\n"
      "  copse parse text.txt --output parsed.conllu\n"
      "  copse parse one.txt two.txt.gz three.conllu --probabilities --output parsed.conllu\n"
      "  copse parse text.txt --kbest 3 --output-format tree\n"
      "  copse parse captions.txt --input-format lines --ranges --sent-ids captions\n"
      "  copse parse dev.conllu --model mine.copse --threads 8 --output parsed.conllu\n"
      "  copse parse dev.conllu --min-confidence 0.95 --output certain.conllu\n"
      "  copse parse --input corpus more.txt.gz --output parsed/\n"
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
      "--output DIR/ parses every file into one of its own; inputs may be folders, too. The name stays,\n"
      "without .gz or .zst; .txt and other endings of text become .conllu, or what --output-format\n"
      "makes of them (docs/parsing-many-files.md). Files appear when they are complete, and a second\n"
      "run with the same settings does only what is missing. mpirun -n N divides the work.\n\n"
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
  command
      ->add_option(
          "--output", options->output,
          "Appears when it is complete; - is the standard output; a folder (or a name that ends in /) "
          "gets a file for each input")
      ->option_text("FILE|DIR/ [-]");
  command->add_flag("--overwrite", options->overwrite,
                    "Of a folder: begin again, whatever earlier runs have left in it");
  command
      ->add_option("--shard-bytes", options->shard_bytes,
                   "Of a folder: larger files are parsed in shards of about so many bytes")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 50))
      ->option_text("N [4194304]");
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
