#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "compared_files.h"
#include "console.h"
#include "eval_aligned.h"
#include "eval_report.h"
#include "evaluation/aligned_scores.h"
#include "evaluation/evaluate_files.h"
#include "io/byte_source.h"
#include "option_values.h"
#include "significance_options.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct EvalOptions {
  ComparedFiles files;
  int max_words = ConllReadOptions().max_words;
  std::string punctuation = "keep";
  std::string subtypes = "ignore";
  SignificanceOptions significance;
  int bins = kDefaultBins;
  bool aligned = false;
  bool json = false;
};

EvaluationOptions evaluation_options(const EvalOptions& options) {
  const auto* name = std::find(kPunctuationNames.begin(), kPunctuationNames.end(), options.punctuation);
  return {static_cast<Punctuation>(name - kPunctuationNames.begin()), options.subtypes == "keep",
          options.max_words};
}

EvaluatedSystem evaluated_system(const std::string& path, const Evaluator& evaluator, const Evaluator& first,
                                 const EvalOptions& options) {
  EvaluatedSystem system;
  system.file = input_name(path);
  system.scores = evaluator.scores();
  system.significance = significance(evaluator, first, options.significance);
  if (!evaluator.confidences().empty()) {
    system.calibration = calibration(evaluator.confidences(), options.bins);
    system.precision_curve = precision_curve(evaluator.confidences(), system.scores.total.scored_words);
  }
  return system;
}

void eval_aligned(const EvalOptions& options) {
  const std::vector<AlignedScores> scores =
      evaluate_aligned_files(options.files.gold, options.files.systems, options.max_words);
  AlignedReport report{input_name(options.files.gold), {}};
  for (size_t k = 0; k < scores.size(); ++k) {
    report.systems.push_back({input_name(options.files.systems[k]), scores[k]});
  }
  write_output(options.json ? json_report(report) : text_report(report));
}

void eval(const EvalOptions& options) {
  std::vector<std::string> inputs = options.files.systems;
  inputs.push_back(options.files.gold);
  expect_one_standard_input("--system", inputs);
  if (options.aligned) {
    eval_aligned(options);
    return;
  }
  const std::vector<Evaluator> evaluators =
      evaluate_files(options.files.gold, options.files.systems, evaluation_options(options));
  EvaluationReport report{input_name(options.files.gold), options.punctuation, options.subtypes,
                          options.significance,           options.bins,        {}};
  for (size_t k = 0; k < evaluators.size(); ++k) {
    report.systems.push_back(
        evaluated_system(options.files.systems[k], evaluators[k], evaluators.front(), options));
  }
  write_output(options.json ? json_report(report) : text_report(report));
}

}  // namespace

void add_eval(CLI::App& program) {
  CLI::App* command = program.add_subcommand("eval", "Compare the trees of parsers with gold trees");
  command->footer(
      "Attachment scores (UAS, LAS), root accuracy (RA), complete matches (CM, LCM),\n"
      "with confidence intervals. Later systems are tested against the first. Arc\n"
      "probabilities (P=0.9321 in MISC) are checked for calibration. docs/evaluation.md\n"
      "defines every figure.\n\n"
      "--aligned is for systems that find sentences, tokens and words themselves: both\n"
      "sides need only have the same text. It follows the CoNLL 2018 shared task.\n\n"
      "Examples:\n"
      "  copse eval dev.conllu parsed.conllu\n"
      "  copse eval --gold dev.conllu --system parsed.conllu --punctuation ud\n"
      "  copse eval --gold dev.conllu --system base.conllu new.conllu\n"
      "  copse eval --gold dev.conllu --system from-raw-text.conllu --aligned\n"
      "  copse eval --gold dev.conllu --system - --json < parsed.conllu | jq '.systems[0].uas'");
  auto options = std::make_shared<EvalOptions>();
  add_compared_files(*command, options->files, "The trees of one or several parsers", "FILE ...");
  add_max_words_option(*command, options->max_words);
  CLI::Option* aligned =
      command->add_flag("--aligned", options->aligned,
                        "Align words by their characters: Tokens, Words, UPOS, LAS, MLAS, BLEX and more");
  command
      ->add_option("--punctuation", options->punctuation,
                   "Words not scored: none (keep), by gold tag (ptb, ctb, ud), by form (unicode)")
      ->check(CLI::IsMember(std::vector<std::string>(kPunctuationNames.begin(), kPunctuationNames.end())))
      ->option_text("NAME [keep]")
      ->excludes(aligned);
  command->add_option("--subtypes", options->subtypes, "ignore: nsubj:pass counts as nsubj; or keep")
      ->check(CLI::IsMember({"ignore", "keep"}))
      ->option_text("NAME [ignore]")
      ->excludes(aligned);
  for (CLI::Option* option : add_significance_options(*command, options->significance)) {
    option->excludes(aligned);
  }
  command->add_option("--bins", options->bins, "Bins for calibration")
      ->check(CLI::Range(1, 1000))
      ->option_text("N [15]")
      ->excludes(aligned);
  command->add_flag("--json", options->json, "Write everything as JSON, for programs");
  command->callback([options] {
    options->files.sort_out();
    eval(*options);
  });
}

}  // namespace copse
