#include "model/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "option_values.h"
#include "parallel/task_pool.h"
#include "parsing/calibration.h"
#include "render/text_width.h"
#include "status_line.h"
#include "tagging/treebank_tagger.h"
#include "training/parse_scores.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct PackCommandOptions {
  std::string model;
  std::string output;
  PackOptions pack;
  std::optional<int> mantissa;
  std::optional<int> tag;
  std::vector<std::string> dev;
  int threads = 1;
  int max_words = ConllReadOptions().max_words;
};

std::string description(const std::string& path, const ParserModel& model) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return fmt::format("{}: {}, {}\n", printable(path),
                     counted(error ? 0 : static_cast<std::int64_t>(bytes), "byte"),
                     counted(static_cast<std::int64_t>(model.weights()), "weight"));
}

// What is left for the parser of the bytes that the file may have.
PackOptions for_parser(PackOptions options, const SectionFile& file) {
  if (options.max_bytes == 0) return options;
  const std::size_t others = ModelComponents::bytes_beside_parser(file);
  if (others >= options.max_bytes) {
    throw DataError(
        fmt::format("the tagger, labeller and segmenter alone need {} bytes; allow more", others));
  }
  options.max_bytes -= others;
  return options;
}

// The sentences with the tags that the parser will see.
std::vector<Sentence> as_parsed(const ModelComponents& pipeline, std::vector<Sentence> sentences,
                                TaskPool& pool) {
  if (pipeline.tagger) BatchTagger(*pipeline.tagger, {}, pool).tag(sentences);
  return sentences;
}

std::vector<Sentence> read_development_data(const std::vector<std::string>& paths, int max_words) {
  std::vector<Sentence> gold = read_treebanks(paths, max_words);
  const auto has_head = [](const Token& word) { return word.head() != kNoHead; };
  const bool has_heads = std::any_of(gold.begin(), gold.end(), [&](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(), has_head);
  });
  if (!paths.empty() && !has_heads) {
    throw DataError(printable(paths.front()) + ": no word has a head; --dev needs trees to compare with");
  }
  return gold;
}

void pack_file(const PackCommandOptions& options) {
  const std::string model = model_path(options.model);
  std::vector<std::string> inputs = options.dev;
  inputs.push_back(model);
  expect_no_input("--output", options.output, inputs);
  StatusLine progress;
  const SectionFile file = SectionFile::open(model);
  const ModelComponents pipeline = ModelComponents::from_file(file);
  std::string report = description(model, pipeline.parser);
  const std::vector<Sentence> gold = read_development_data(options.dev, options.max_words);
  const std::string sentences = counted(static_cast<std::int64_t>(gold.size()), "sentence");
  if (pipeline.parser.network() != nullptr) {
    throw DataError(printable(model) +
                    ": a network is stored in 8 bits already; train with a smaller --size or fewer "
                    "--vector-words to make it smaller");
  }
  PackOptions choice = options.pack;
  if (options.mantissa || options.tag)
    choice.precision = {options.tag.value_or(16), options.mantissa.value_or(2)};
  progress.print("rounding the weights");
  ModelComponents packed{pack(pipeline.parser, for_parser(choice, file)),
                         pipeline.segmenter,
                         pipeline.tagger,
                         pipeline.labeller,
                         pipeline.is_pseudo_projective,
                         pipeline.has_seen_tags,
                         pipeline.language,
                         pipeline.settings};
  TaskPool pool(options.threads);
  if (!gold.empty()) {
    progress.print("fitting the temperature to " + sentences);
    packed.parser.set_temperature(fit_temperature(packed.parser, as_parsed(pipeline, gold, pool), pool));
  }
  packed.save(options.output);
  report += description(options.output, packed.parser);
  if (!gold.empty()) {
    ParseOptions settings;
    settings.tags = TagUse::always;
    progress.print("parsing " + sentences + " with the model as it was");
    const double before = parse_scores(pipeline, settings, gold, pool)[Measure::uas].value();
    progress.print("parsing " + sentences + " with the packed model");
    const double after = parse_scores(packed, settings, gold, pool)[Measure::uas].value();
    report +=
        fmt::format("development data: UAS {:.2f}% before, {:.2f}% after ({:+.2f}), punctuation counted\n",
                    100 * before, 100 * after, 100 * (after - before));
  }
  write_output(report);
}

}  // namespace

void add_pack(CLI::App& program) {
  CLI::App* command = program.add_subcommand("pack", "Make a model smaller");
  command->footer(
      "Rounds the weights of a model and, if that is not enough, drops the smallest ones.\n"
      "Smaller models load and parse faster, for more of them fits into the caches of the\n"
      "processor. With --dev, says what that costs, and fits the temperature of probabilities\n"
      "to these trees, as seen with the tags of the model's tagger if it has one.\n\n"
      "Examples:\n"
      "  copse pack en.copse --output small.copse --size 10M --dev dev.conllu\n"
      "  copse pack en.copse --output small.copse --weights 1000000");
  auto options = std::make_shared<PackCommandOptions>();
  command
      ->add_option("MODEL", options->model,
                   "What `copse train` has written, or the name of a model, such as english")
      ->required()
      ->option_text(" ");
  command->add_option("--output", options->output, "The file to write")->required()->option_text("FILE");
  command->add_option("--size", options->pack.max_bytes, "At most so many bytes, such as 10M")
      ->transform(CLI::AsSizeValue(true))
      ->check(CLI::PositiveNumber)
      ->option_text("SIZE");
  command->add_option("--weights", options->pack.max_weights, "At most so many weights of the parser")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  command
      ->add_option("--mantissa", options->mantissa,
                   "Bits of a weight's mantissa, 0 to 7: 0 is the next power of two")
      ->check(CLI::Range(0, 7))
      ->option_text("BITS [as many as fit]");
  command
      ->add_option("--tag", options->tag,
                   "Bits by which features are told apart: one in 2^BITS/10 others is taken for a known one")
      ->check(CLI::Range(8, 20))
      ->option_text("BITS [as many as fit]");
  command->add_option("--dev", options->dev, "Trees to measure the accuracy on, before and after")
      ->option_text("FILE ...");
  add_max_words_option(*command, options->max_words);
  add_threads_option(*command, options->threads);
  command->callback([options] { pack_file(*options); });
}

}  // namespace copse
