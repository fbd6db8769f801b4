#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/analysis_report.h"
#include "analyze_json.h"
#include "commands.h"
#include "compared_files.h"
#include "console.h"
#include "io/byte_source.h"
#include "io/output_file.h"
#include "option_values.h"
#include "significance_options.h"
#include "text/utf8.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct AnalyzeOptions {
  ComparedFiles files;
  int max_words = ConllReadOptions().max_words;
  std::string punctuation = "keep";
  std::string subtypes = "ignore";
  std::string output;
  std::string json;
  std::string csv;
  int sentences = AnalysisOptions().sentences;
  int bins = AnalysisOptions().bins;
  SignificanceOptions significance;
};

constexpr int kMostSentences = 10'000;

// NAME=FILE, or FILE alone: then the name is that of the file, without its folder and suffix. A path with a
// folder before the = has no name either.
NamedFile named_file(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || text.find('/') < equals) {
    return {text == "-" ? input_name(text) : std::filesystem::path(text).stem().string(), text};
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<NamedFile> named_systems(const AnalyzeOptions& options) {
  std::vector<NamedFile> systems;
  std::set<std::string> names;
  std::vector<std::string> inputs = {options.files.gold};
  for (const std::string& text : options.files.systems) {
    const NamedFile system = named_file(text);
    if (system.name.empty() || system.path.empty()) {
      throw CLI::ValidationError("--system", copse::quoted(text) + " is not NAME=FILE");
    }
    if (!names.insert(system.name).second) {
      throw CLI::ValidationError("--system", copse::quoted(system.name) +
                                                 " is the name of two systems; name them "
                                                 "differently, as in NAME=FILE");
    }
    inputs.push_back(system.path);
    systems.push_back(system);
  }
  expect_one_standard_input("--system", inputs);
  return systems;
}

AnalysisOptions analysis_options(const AnalyzeOptions& options) {
  const auto* name = std::find(kPunctuationNames.begin(), kPunctuationNames.end(), options.punctuation);
  return {{static_cast<Punctuation>(name - kPunctuationNames.begin()), options.subtypes == "keep",
           options.max_words},
          options.sentences,
          options.bins,
          options.significance};
}

void write_to(const std::string& path, const std::string& text) {
  if (path == "-") {
    write_output(text);
    return;
  }
  OutputFile file(path);
  file.write(text);
  file.close();
}

void analyze(const AnalyzeOptions& options) {
  const std::vector<NamedFile> systems = named_systems(options);
  const std::vector<std::string> outputs = {options.output, options.json, options.csv};
  if (std::count(outputs.begin(), outputs.end(), "-") > 1) {
    throw CLI::ValidationError("--output",
                               "only one of --output, --json and --csv can be the standard output (-)");
  }
  std::vector<std::string> inputs = {options.files.gold};
  for (const NamedFile& system : systems) inputs.push_back(system.path);
  expect_no_input("--output", options.output, inputs);
  expect_no_input("--json", options.json, inputs);
  expect_no_input("--csv", options.csv, inputs);
  const Analysis analysis =
      analyze_files({input_name(options.files.gold), options.files.gold}, systems, analysis_options(options));
  const bool is_page_asked_for = !options.output.empty() || (options.json.empty() && options.csv.empty());
  if (!options.json.empty()) write_to(options.json, json_report(analysis));
  if (!options.csv.empty()) write_to(options.csv, analysis_csv(analysis));
  if (is_page_asked_for) write_to(options.output.empty() ? "-" : options.output, analysis_page(analysis));
}

}  // namespace

void add_analyze(CLI::App& program) {
  CLI::App* command = program.add_subcommand("analyze", "Show where parsers go wrong, as a page of charts");
  command->footer(
      "One HTML page that needs no other file: scores with confidence intervals and tests\n"
      "between systems, as `copse eval` has them; accuracy by sentence length; precision\n"
      "and recall by dependency length, distance to the root, number of siblings and\n"
      "modifiers, direction and projectivity; by tag and label, label confusion;\n"
      "calibration and precision against coverage where MISC has probabilities (P=);\n"
      "and the worst sentences, gold and system's arcs in one drawing. Several systems\n"
      "are shown side by side. docs/analysis.md defines every figure.\n\n"
      "Without --output, --json and --csv the page goes to the standard output.\n\n"
      "Examples:\n"
      "  copse analyze dev.conllu parsed.conllu --output page.html\n"
      "  copse analyze --gold dev.conllu --system MIRA=m.conllu --system AP=a.conllu \\\n"
      "                --punctuation ud --output page.html\n"
      "  copse analyze --gold dev.conllu --system parsed.conllu --json - |\n"
      "      jq '.breakdowns.dependency_length[] | {bin, recall: .systems[0].recall}'\n"
      "  copse analyze --gold dev.conllu --system parsed.conllu --csv numbers.csv");
  auto options = std::make_shared<AnalyzeOptions>();
  add_compared_files(*command, options->files, "The trees of one or several parsers, and what to call them",
                     "[NAME=]FILE ...");
  add_max_words_option(*command, options->max_words);
  command
      ->add_option("--punctuation", options->punctuation,
                   "Words not scored: none (keep), by gold tag (ptb, ctb, ud), by form (unicode)")
      ->check(CLI::IsMember(std::vector<std::string>(kPunctuationNames.begin(), kPunctuationNames.end())))
      ->option_text("NAME [keep]");
  command->add_option("--subtypes", options->subtypes, "ignore: nsubj:pass counts as nsubj; or keep")
      ->check(CLI::IsMember({"ignore", "keep"}))
      ->option_text("NAME [ignore]");
  command->add_option("--output", options->output, "Write the page here; - is the standard output")
      ->option_text("FILE");
  command->add_option("--json", options->json, "Write the numbers as JSON, for programs")
      ->option_text("FILE");
  command->add_option("--csv", options->csv, "Write the numbers as CSV, for tables: one measurement per line")
      ->option_text("FILE");
  command
      ->add_option("--sentences", options->sentences, "How many of the worst sentences to show, 0 for none")
      ->check(CLI::Range(0, kMostSentences))
      ->option_text("N [50]");
  command->add_option("--bins", options->bins, "Bins of the reliability diagram")
      ->check(CLI::Range(1, 1000))
      ->option_text("N [10]");
  add_significance_options(*command, options->significance);
  command->callback([options] {
    options->files.sort_out();
    analyze(*options);
  });
}

}  // namespace copse
