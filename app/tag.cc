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
#include "io/byte_source.h"
#include "network/network.h"
#include "number_text.h"
#include "render/text_width.h"
#include "sentence_stream.h"
#include "sequence_report.h"
#include "sequence_training.h"
#include "tagging/tagger_trainer.h"
#include "tagging/treebank_tagger.h"
#include "training_files.h"

namespace copse {
namespace {

struct TagOptions {
  SequenceTrainingFiles files;
  TaggerTrainingOptions training;
  // To tag.
  std::string input = "-";
  std::string output = "-";
  bool probabilities = false;
};

void check_usage(const TagOptions& options, const CLI::App& command) {
  check_train_or_use(command,
                     {options.files.train,
                      options.files.dev,
                      options.files.model,
                      options.input,
                      options.training.learner,
                      "tagging",
                      {"--dev", "--order", "--learner", "--l2", "--iterations", "--attributes", "--seed"},
                      {"--input", "--output", "--probabilities"}});
}

std::string score_table(const TaggerModel& tagger, const std::vector<Sentence>& sentences,
                        const std::vector<Sentence>& dev, TaskPool& pool) {
  std::vector<Sentence> tagged = dev;
  BatchTagger(tagger, {}, pool).tag(tagged);
  TaggingEvaluator evaluator(sentences);
  for (std::size_t k = 0; k < dev.size(); ++k) evaluator.add(dev[k], tagged[k]);
  std::string table = fmt::format("{:<18} {:>9} {:>14}\n", "development data", "all words", "unknown words");
  for (const TagAttribute attribute : tagger.attributes()) {
    const TaggingScore& score = evaluator.score(attribute);
    const auto cell = [](double accuracy) { return std::isfinite(accuracy) ? percent_text(accuracy) : "-"; };
    table += fmt::format("{:<18} {:>9} {:>14}\n", upper_name(attribute), cell(score.accuracy()),
                         cell(score.unknown_accuracy()));
  }
  const TaggingScore& any = evaluator.score(tagger.attributes().front());
  return table +
         fmt::format("{:<18} {:>9} {:>14}\n", "words", grouped(any.words), grouped(any.unknown_words));
}

void train(const TagOptions& options) {
  SequenceReport report;
  train_on_files(
      options.files,
      [&](const auto& sentences, const auto& dev, TaskPool& pool) {
        return train_tagger(sentences, dev, options.training, pool, report);
      },
      score_table);
}

void tag(const TagOptions& options) {
  const SectionFile file = SectionFile::open(options.files.model);
  if (Network::is_in(file) && !TaggerModel::is_in(file)) {
    throw DataError(printable(options.files.model) +
                    ": the tags of a network come together with trees; use `copse parse --tag always`");
  }
  const TaggerModel tagger = TaggerModel::from_file(file);
  TaskPool pool(options.files.threads);
  SentenceOutput output(options.output, {});
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  TreebankTagger stream(
      tagger, {options.probabilities}, pool, output.writer(),
      [&progress](std::int64_t sentences, std::int64_t words) { progress.advance(sentences, words); });
  ConllReadOptions read_options;
  read_options.validate_trees = false;  // tags have nothing to do with them
  ConllReader reader(std::make_unique<WatchedInput>(options.input, position, [&stream] { stream.flush(); }),
                     input_name(options.input), read_options);
  for (Sentence sentence; reader.next(sentence);) stream.add(std::move(sentence));
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
      "With --train, learns a tagger from the columns of CoNLL-U or CoNLL-X sentences and writes\n"
      "it to the model file; with --dev, keeps the best iterations, and says how many words are\n"
      "tagged right in the end, of all words and of those that the training data does not have.\n"
      "Ctrl-C stops it, and then nothing is written.\n\n"
      "Without --train, tags sentences: of every word, the columns that the model knows are\n"
      "overwritten by what it finds, from the forms alone. All else is kept, and so are format\n"
      "and order; a pipe that stays open gets its answers at once. --probabilities adds how\n"
      "probable each value is to MISC: PUPOS=0.9981|PXPOS=0.9812 (other formats then become\n"
      "CoNLL-U, which has a place for it).\n\n"
      "Examples:\n"
      "  copse tag --train train.conllu --dev dev.conllu --model tags.copse\n"
      "  copse tag --model tags.copse --input text.conllu --output tagged.conllu\n"
      "  copse tag --model tags.copse < text.conllu | copse parse --model en.copse > parsed.conllu\n"
      "  copse tag --train train.conllu --model fast.copse --attributes upos,xpos --order 1");
  auto options = std::make_shared<TagOptions>();
  command
      ->add_option("--model", options->files.model, "The tagger: to be written by --train, else to be used")
      ->required()
      ->option_text("FILE");
  command->add_option("--input", options->input, "Sentences, gzip or zstd data too; - is the standard input")
      ->option_text("FILE [-]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  command->add_flag("--probabilities", options->probabilities, "Write how probable each value is");
  add_training_options(*command, *options);
  command->callback([options, command] {
    check_usage(*options, *command);
    if (options->files.train.empty())
      tag(*options);
    else
      train(*options);
  });
}

}  // namespace copse
