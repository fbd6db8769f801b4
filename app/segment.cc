#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "default_model.h"
#include "evaluation/aligned_scores.h"
#include "io/section_file.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_kind.h"
#include "segmentation/segmenter.h"
#include "segmentation/segmenter_trainer.h"
#include "sentence_input.h"
#include "sentence_stream.h"
#include "sequence_report.h"
#include "sequence_training.h"
#include "training_files.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct SegmentOptions {
  PartRequest files;
  SegmenterTrainingOptions training;
  // To segment.
  SentenceInputOptions input;
  std::string output = "-";
};

void check_usage(const SegmentOptions& options, const CLI::App& command) {
  check_train_or_use(
      command,
      {options.files.train,
       options.files.dev,
       options.files.model,
       options.input.files,
       options.training.learner,
       "segmenting",
       {"--dev", "--max-words", "--order", "--learner", "--l2", "--iterations", "--seed", "--threads"},
       {"--input", "--input-format", "--no-headings", "--ranges", "--sent-ids", "--output"}});
}

std::string segmentation_table(const SegmenterResult& result) {
  if (!result.development) return {};
  std::string table =
      fmt::format("{:<18} {:>9} {:>9} {:>9}\n", "development data", "precision", "recall", "F1");
  for (const AlignedMeasure measure :
       {AlignedMeasure::tokens, AlignedMeasure::sentences, AlignedMeasure::words}) {
    const AlignedScore& score = (*result.development)[measure];
    table +=
        fmt::format("{:<18} {:>9} {:>9} {:>9}\n", kAlignedMeasureNames[static_cast<std::size_t>(measure)],
                    percent_text(score.precision()), percent_text(score.recall()), percent_text(score.f1()));
  }
  return table;
}

void segment(const SegmentOptions& options) {
  const std::string model = model_path(options.files.model);
  std::vector<std::string> files = options.input.files;
  files.push_back(model);
  expect_no_input("--output", options.output, files);
  const SectionFile file = SectionFile::open(model);
  expect_part(file, "segmenter");
  const SegmenterModel segmenter = SegmenterModel::from_file(file);
  SentenceOutput output(options.output, "conllu");
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  const auto emit = [&] {
    output.writer().flush();
    progress.advance(sentences, words);
  };
  SentenceInput input = SentenceInput::of_text(options.input, segmenter, position, emit);
  constexpr std::int64_t kBatch = 1000;  // sentences that wait for each other where more can be read at once
  for (Sentence sentence; input.next(sentence);) {
    words += sentence.size();
    output.writer().write(sentence);
    if (++sentences % kBatch == 0) emit();
  }
  emit();
  output.close();
  progress.finish();
}

}  // namespace

void add_segment(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("segment", "Find sentences and words in raw text, or learn to do so");
  command->footer(
      "Without --train, reads text (UTF-8) and writes its sentences as CoNLL-U: tokens, and the\n"
      "words of tokens that are several (don't: do, n't). Without --model, the English model that\n"
      "comes with Copse is used; every model with a segmenter will do.\n\n"
      "Examples:\n"
      "  echo \"I don't know. Do you?\" | copse segment\n"
      "  copse segment text.txt --output sentences.conllu\n"
      "  copse segment one.txt two.txt --ranges --sent-ids talk\n"
      "  copse segment captions.txt --input-format lines\n"
      "  copse segment --train train.conllu --dev dev.conllu --model segments.copse\n"
      "  copse segment text.txt --model segments.copse | copse parse > parsed.conllu\n"
      "  copse convert dev.conllu --to text | copse segment --model segments.copse > found.conllu\n"
      "  copse eval --aligned --gold dev.conllu --system found.conllu\n\n"
      "Empty lines end paragraphs; other line breaks are space, but a heading on a line of its own\n"
      "is a sentence. Each paragraph is answered as soon as it has ended, and memory is bounded,\n"
      "whatever comes. SpaceAfter=No and SpacesAfter in MISC keep the text exactly:\n"
      "`copse convert --to text` gives it back, up to space at its end.\n\n"
      "With --train, learns from CoNLL-U sentences that follow each other in texts. Their text is\n"
      "taken from # text, or from SpaceAfter=No; paragraphs from # newpar and # newdoc. With --dev,\n"
      "keeps the best iteration, and says how much is found in the end. Ctrl-C stops it, and then\n"
      "nothing is written.");
  auto options = std::make_shared<SegmentOptions>();
  add_model_option(*command, options->files.model)
      ->description("Any model with a segmenter; with --train, the file to write");
  add_text_input(*command, options->input);
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_max_words_option(*command, options->files.max_words);
  add_sequence_training_options(*command, options->files, options->training, "decision", "texts");
  command->callback([options, command] {
    check_usage(*options, *command);
    if (options->files.train.empty()) {
      segment(*options);
    } else {
      SegmenterReport report;
      train_on_files(options->files, options->training, report, segmentation_table);
    }
  });
}

}  // namespace copse
