#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "default_model.h"
#include "network/network.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_components.h"
#include "pipeline/model_kind.h"
#include "pipeline/parallel_pipeline.h"
#include "render/text_width.h"
#include "sentence_input.h"
#include "sentence_output.h"
#include "sentence_stream.h"
#include "sequence_report.h"
#include "sequence_training.h"
#include "tagging/tagger_trainer.h"
#include "tagging/treebank_tagger.h"
#include "training_files.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct TagOptions {
  PartRequest files;
  TaggerTrainingOptions training;
  // To tag.
  SentenceInputOptions input;
  std::string output = "-";
  std::string output_format;
  bool probabilities = false;
};

void check_usage(const TagOptions& options, const CLI::App& command) {
  check_train_or_use(command,
                     {options.files.train,
                      options.files.dev,
                      options.files.model,
                      options.input.files,
                      options.training.learner,
                      "tagging",
                      {"--dev", "--order", "--learner", "--l2", "--iterations", "--attributes", "--seed"},
                      {"--input", "--input-format", "--no-headings", "--ranges", "--sent-ids", "--output",
                       "--output-format", "--probabilities"}});
}

std::string tagging_table(const TaggerResult& result) {
  if (!result.development) return {};
  std::string table = fmt::format("{:<18} {:>9} {:>14}\n", "development data", "all words", "unknown words");
  for (const TagAttribute attribute : result.attributes) {
    const TaggingScore& score = result.development->score(attribute);
    const auto cell = [](double accuracy) { return std::isfinite(accuracy) ? percent_text(accuracy) : "-"; };
    table += fmt::format("{:<18} {:>9} {:>14}\n", upper_name(attribute), cell(score.accuracy()),
                         cell(score.unknown_accuracy()));
  }
  const TaggingScore& any = result.development->score(result.attributes.front());
  return table +
         fmt::format("{:<18} {:>9} {:>14}\n", "words", grouped(any.words), grouped(any.unknown_words));
}

// What sets the tags of sentences: a tagger, or a network that parses, too.
TreebankTagger::TagBatch tag_batch(const SectionFile& file, const TagOptions& options, TaskPool& pool) {
  if (TaggerModel::is_in(file)) {
    const auto tagger = std::make_shared<BatchTagger>(TaggerModel::from_file(file),
                                                      TaggingOptions{options.probabilities}, pool);
    return [tagger](std::span<Sentence> sentences) { tagger->tag(sentences); };
  }
  if (!Network::is_in(file)) expect_part(file, "tagger");
  const Model model(std::make_shared<const ModelComponents>(ModelComponents::from_file(file)));
  if (!model.has_tagger()) expect_part(file, "tagger");
  ParseOptions parsing;
  parsing.tag_probabilities = options.probabilities;
  parsing.tags = TagUse::always;
  const auto pipeline = std::make_shared<ParallelPipeline>(model, parsing, pool);
  return [pipeline](std::span<Sentence> sentences) { pipeline->tag(sentences); };
}

void tag(const TagOptions& options) {
  const std::string model = model_path(options.files.model);
  std::vector<std::string> files = options.input.files;
  files.push_back(model);
  expect_no_input("--output", options.output, files);
  const SectionFile file = SectionFile::open(model);
  const Component<SegmenterModel> segmenter = SegmenterModel::is_in(file)
                                                  ? Component<SegmenterModel>(SegmenterModel::from_file(file))
                                                  : Component<SegmenterModel>();
  report_loss(options.output_format, options.probabilities);
  TaskPool pool(options.files.threads);
  SentenceOutput output(options.output, options.output_format.empty() ? usual_output_format(options.input)
                                                                      : options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  TreebankTagger stream(
      tag_batch(file, options, pool), pool.threads(), output.writer(),
      [&progress](std::int64_t sentences, std::int64_t words) { progress.advance(sentences, words); });
  SentenceInput input(options.input, segmenter, position, [&stream] { stream.flush(); });
  try {
    for (Sentence sentence; input.next(sentence);) stream.add(std::move(sentence));
  } catch (const DataError&) {
    stream.flush();  // what came before is good
    throw;
  }
  stream.flush();
  output.close();
  progress.finish();
}

void add_training_options(CLI::App& command, TagOptions& options) {
  TaggerTrainingOptions& training = options.training;
  add_sequence_training_options(command, options.files, training, "tag", "sentences");
  command
      .add_option_function<std::vector<std::string>>(
          "--attributes",
          [&training](const std::vector<std::string>& names) {
            for (const std::string& name : names) {
              const TagAttribute attribute = *parse_tag_attribute(name);
              if (std::find(training.attributes.begin(), training.attributes.end(), attribute) ==
                  training.attributes.end()) {
                training.attributes.push_back(attribute);
              }
            }
          },
          "Columns to learn: some of upos, xpos, feats and lemma")
      ->delimiter(',')
      ->check(CLI::IsMember({"upos", "xpos", "feats", "lemma"}))
      ->option_text("NAME,... [all with values]");
}

}  // namespace

void add_tag(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("tag", "Tag words (UPOS, XPOS, FEATS, LEMMA), or learn to do so");
  command->footer(
      "Without --train, tags text or sentences: of every word, the columns that the model knows are\n"
      "overwritten by what it finds, from the forms alone. All else is kept, and so are format and\n"
      "order; a pipe that stays open gets its answers at once. Without --model, the English model\n"
      "that comes with Copse is used; every model with a tagger, or a network that tags, will do.\n\n"
      "Examples:\n"
      "  echo \"I saw the man with the telescope.\" | copse tag\n"
      "  copse tag text.txt --output tagged.conllu\n"
      "  copse tag --train train.conllu --dev dev.conllu --model tags.copse\n"
      "  copse tag text.conllu --model tags.copse --probabilities --output tagged.conllu\n"
      "  copse tag --train train.conllu --model fast.copse --attributes upos,xpos --order 1\n\n"
      "--probabilities adds how probable each value is to MISC: PUPOS=0.9981|PXPOS=0.9812 (other\n"
      "formats then become CoNLL-U, which has a place for it); networks do not have them.\n\n"
      "With --train, learns a tagger from the columns of CoNLL-U or CoNLL-X sentences and writes\n"
      "it to the model file; with --dev, keeps the best iterations, and says how many words are\n"
      "tagged right in the end, of all words and of those that the training data does not have.\n"
      "Ctrl-C stops it, and then nothing is written. `copse combine` puts it into a model with a\n"
      "parser.");
  auto options = std::make_shared<TagOptions>();
  add_model_option(*command, options->files.model)
      ->description("Any model that tags; with --train, the file to write");
  add_sentence_input(*command, options->input);
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_output_format(*command, options->output_format);
  command->add_flag("--probabilities", options->probabilities, "Write how probable each value is");
  add_training_options(*command, *options);
  command->callback([options, command] {
    check_usage(*options, *command);
    options->files.max_words = options->input.max_words;
    if (options->files.train.empty()) {
      tag(*options);
    } else {
      SequenceReport report;
      train_on_files(options->files, options->training, report, tagging_table);
    }
  });
}

}  // namespace copse
