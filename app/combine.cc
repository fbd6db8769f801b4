#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "default_model.h"
#include "model_card.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_components.h"
#include "pipeline/model_kind.h"
#include "render/text_width.h"
#include "training/model_facts.h"
#include "treebank_input.h"

namespace copse {
namespace {

enum Part : std::size_t { kParser, kLabeller, kTagger, kSegmenter };
constexpr std::array<std::string_view, 4> kPartNames = {"parser", "labeller", "tagger", "segmenter"};

struct CombineOptions {
  std::vector<std::string> files;
  std::array<std::string, kPartNames.size()>
      chosen;  // by part: the file to take it from; empty: none is named
  std::string output;
  std::vector<std::string> language_files;
  ModelCard card;
};

struct PartFile {
  std::string path;
  SectionFile file;
  bool gives_all;  // all parts that it has, not only those that it was named for
};

bool has(const SectionFile& file, std::size_t part) {
  switch (part) {
    case kParser:
      return model_kind(file) == ModelKind::parser;
    case kLabeller:
      return LabellerModel::is_in(file);
    case kTagger:
      return TaggerModel::is_in(file);
    default:
      return SegmenterModel::is_in(file);
  }
}

// The file that a part is taken from: the one that was named for it, or the only one of all files that has
// it; null if there is none.
const PartFile* find_part(const std::vector<PartFile>& files, const CombineOptions& options,
                          std::size_t part) {
  const PartFile* found = nullptr;
  const std::string& chosen = options.chosen[part];
  for (const PartFile& file : files) {
    if (file.path == chosen) {
      expect_part(file.file, kPartNames[part]);
      return &file;
    }
    if (!chosen.empty() || !file.gives_all || !has(file.file, part)) continue;
    if (found != nullptr) {
      throw DataError(fmt::format("{}: has a {}, and so has {}; say --{} FILE to choose", file.path,
                                  kPartNames[part], found->path, kPartNames[part]));
    }
    found = &file;
  }
  return found;
}

std::vector<PartFile> open_files(const CombineOptions& options) {
  std::vector<PartFile> files;
  const auto add = [&files](const std::string& path, bool gives_all) {
    const bool is_known =
        std::any_of(files.begin(), files.end(), [&path](const PartFile& file) { return file.path == path; });
    if (path.empty() || is_known) return;
    files.push_back({path, SectionFile::open(model_path(path)), gives_all});
    const SectionFile& file = files.back().file;
    for (std::size_t part = 0; part < kPartNames.size(); ++part) {
      if (has(file, part)) return;
    }
    throw DataError(fmt::format("{}: {}; it is no part of a pipeline", path, describe_kind(file)));
  };
  for (const std::string& path : options.files) add(path, true);
  for (const std::string& path : options.chosen) add(path, false);
  return files;
}

void combine(const CombineOptions& options) {
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.chosen.begin(), options.chosen.end());
  expect_one_standard_input("FILES", inputs);
  for (std::string& input : inputs) {
    if (!input.empty()) input = model_path(input);
  }
  inputs.insert(inputs.end(), options.language_files.begin(), options.language_files.end());
  expect_no_input("--output", options.output, inputs);
  const std::vector<PartFile> files = open_files(options);
  std::array<const PartFile*, kPartNames.size()> parts{};
  for (std::size_t part = 0; part < parts.size(); ++part) parts[part] = find_part(files, options, part);
  if (parts[kParser] == nullptr) {
    throw DataError("none of the files has a parser; `copse train` makes one");
  }
  ModelComponents model = ModelComponents::from_file(parts[kParser]->file);
  if (model.parser.network() != nullptr && parts[kLabeller] != nullptr) {
    throw DataError(fmt::format("{}: is a network, which labels its own trees; leave out the labeller of {}",
                                parts[kParser]->path, parts[kLabeller]->path));
  }
  if (model.parser.network() != nullptr && parts[kTagger] != nullptr && !model.needs_tags()) {
    throw DataError(fmt::format("{}: is a network that reads words alone; leave out the tagger of {}",
                                parts[kParser]->path, parts[kTagger]->path));
  }
  if (parts[kLabeller] != nullptr) {
    const SectionFile& file = parts[kLabeller]->file;
    model.labeller = LabellerModel::from_file(file);
    // Its labels say which arcs were lifted, or not.
    model.is_pseudo_projective = ModelComponents::has_pseudo_projective_labels(file);
  }
  if (parts[kTagger] != nullptr) model.tagger = TaggerModel::from_file(parts[kTagger]->file);
  if (parts[kSegmenter] != nullptr) model.segmenter = SegmenterModel::from_file(parts[kSegmenter]->file);
  if (!options.language_files.empty()) {
    model.language = LanguageProfile::of(read_treebanks(options.language_files));
    if (!model.language) {
      throw DataError(fmt::format("{}: too few words to tell a language by; give more, 3,000 at least",
                                  options.language_files.front()));
    }
  }
  std::vector<std::string> used;
  std::string report;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    report += fmt::format("{:<10} {}\n", kPartNames[part],
                          parts[part] == nullptr ? "none" : printable(parts[part]->path));
    if (parts[part] == nullptr) continue;
    if (std::find(used.begin(), used.end(), parts[part]->path) == used.end())
      used.push_back(parts[part]->path);
  }
  if (used.size() > 1) model.parser.set_fact("combined from", file_names(used));
  write_card(options.card, model.parser);
  model.save(options.output);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(options.output, error);
  write_output(report + fmt::format("{}: {}\n", printable(options.output),
                                    counted(error ? 0 : static_cast<std::int64_t>(bytes), "byte")));
}

}  // namespace

void add_combine(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("combine", "Put parser, labeller, tagger and segmenter into one file");
  command->footer(
      "Segmenters, taggers and parsers can be learnt apart (`copse segment --train`, `copse tag\n"
      "--train`, `copse train`). This puts them into one model, which goes from text to labelled\n"
      "trees like those of `copse train --pipeline`. Every file gives the parts that it has; where\n"
      "two have the same part, --parser, --labeller, --tagger and --segmenter say which one to take.\n\n"
      "A parser is best with the tags that it was learnt with: the tags of `copse train` are those\n"
      "of the files unless it is told --tags predicted. Probabilities are fitted to these, too;\n"
      "`copse pack --dev` fits them anew.\n\n"
      "--language, --licence, --attribution and --description go into the file; one model alone is\n"
      "enough to say them of it, or to say something else.\n\n"
      "Examples:\n"
      "  copse combine parser.copse tags.copse segments.copse --output de.copse\n"
      "  copse combine old.copse --tagger better-tags.copse --output new.copse\n"
      "  copse combine de.copse --licence \"CC BY-SA 4.0\" --output de-licensed.copse");
  auto options = std::make_shared<CombineOptions>();
  command->add_option("FILES", options->files, "Models that have parts")->option_text("FILE ...");
  for (std::size_t part = 0; part < kPartNames.size(); ++part) {
    command
        ->add_option(fmt::format("--{}", kPartNames[part]), options->chosen[part],
                     fmt::format("Take the {} from this file", kPartNames[part]))
        ->option_text("FILE");
  }
  command->add_option("--output", options->output, "The file to write")->required()->option_text("FILE");
  command
      ->add_option("--language-text", options->language_files,
                   "Sentences of its language (a treebank), for models that cannot tell it from others")
      ->option_text("FILE ...");
  add_card_options(*command, options->card);
  command->callback([options] { combine(*options); });
}

}  // namespace copse
