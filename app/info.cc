#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "commands.h"
#include "console.h"
#include "copse/io/section_file.h"
#include "copse/pipeline/pipeline.h"
#include "copse/render/text_width.h"
#include "number_text.h"

namespace copse {
namespace {

struct InfoOptions {
  std::string model;
  bool json = false;
};

// Nothing for pipes.
std::optional<std::int64_t> size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::string attribute_names(const Tagger& tagger) {
  std::string names;
  for (const TagAttribute attribute : tagger.attributes()) {
    if (!names.empty()) names += ' ';
    names += upper_name(attribute);
  }
  return names;
}

std::vector<std::string_view> attribute_list(const Tagger& tagger) {
  std::vector<std::string_view> names;
  for (const TagAttribute attribute : tagger.attributes()) names.push_back(name(attribute));
  return names;
}

std::string_view labelling(const Pipeline& pipeline) { return pipeline.labeller ? "two-stage" : "joint"; }

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const Pipeline& pipeline) {
  const Model& model = pipeline.parser;
  std::string out;
  const auto row = [&out](std::string_view what, std::string_view value) {
    out += fmt::format("{:<20} {}\n", printable(what), printable(value));
  };
  const auto weights = [](const LinearModel& part) {
    return counted(static_cast<std::int64_t>(part.weights().size()), "weight");
  };
  const FeatureOptions& features = model.parser().extractor().options();
  row("file", path);
  if (bytes) row("size", counted(*bytes, "byte"));
  row("format version", std::to_string(kSectionFileVersion));
  row("factorization", name(model.factorization()));
  row("root", name(model.root()));
  row("trees", name(model.trees().kind));
  row("feature set", name(features.set));
  row("coarse tags", name(features.coarse));
  row("parser", weights(model.parser()));
  row("pruner", model.pruner() == nullptr
                    ? "none"
                    : fmt::format("{}, threshold {}", weights(*model.pruner()), model.prune_threshold()));
  row("tagger", pipeline.tagger ? attribute_names(*pipeline.tagger) : "none");
  row("labels", pipeline.labels() == nullptr
                    ? "none"
                    : fmt::format("{}, {}", pipeline.labels()->size(), labelling(pipeline)));
  if (pipeline.is_pseudo_projective) row("crossing arcs", "restored by labels");
  if (!model.facts().empty()) out += "\n";
  for (const auto& [key, value] : model.facts()) row(key, value);
  return out;
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const Pipeline& pipeline) {
  const Model& model = pipeline.parser;
  const FeatureOptions& features = model.parser().extractor().options();
  nlohmann::ordered_json json = {
      {"file", path},
      {"bytes", nullptr},
      {"format_version", kSectionFileVersion},
      {"factorization", name(model.factorization())},
      {"root", name(model.root())},
      {"trees", name(model.trees().kind)},
      {"features", name(features.set)},
      {"coarse", name(features.coarse)},
      {"weights", model.parser().weights().size()},
      {"pruner", nullptr},
      {"tagger", nullptr},
      {"labels", nullptr},
      {"pseudo_projective", pipeline.is_pseudo_projective},
      {"facts", nlohmann::ordered_json::object()},
  };
  if (bytes) json["bytes"] = *bytes;
  if (pipeline.tagger) json["tagger"] = {{"attributes", attribute_list(*pipeline.tagger)}};
  if (pipeline.labels() != nullptr) {
    json["labels"] = *pipeline.labels();
    json["labelling"] = labelling(pipeline);
  }
  if (model.pruner() != nullptr) {
    json["pruner"] = {{"features", name(model.pruner()->extractor().options().set)},
                      {"weights", model.pruner()->weights().size()},
                      {"threshold", model.prune_threshold()}};
  }
  for (const auto& [key, value] : model.facts()) json["facts"][key] = value;
  // Names of files need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes, const Tagger& tagger) {
  std::string out = fmt::format("{:<20} {}\n", "file", printable(path));
  if (bytes) out += fmt::format("{:<20} {}\n", "size", counted(*bytes, "byte"));
  out += fmt::format("{:<20} {}\n\n", "tagger", attribute_names(tagger));
  for (const auto& [key, value] : tagger.facts()) {
    out += fmt::format("{:<20} {}\n", printable(key), printable(value));
  }
  return out;
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes, const Tagger& tagger) {
  nlohmann::ordered_json json = {
      {"file", path}, {"bytes", nullptr}, {"format_version", kSectionFileVersion}, {"tagger", nullptr}};
  if (bytes) json["bytes"] = *bytes;
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
  for (const auto& [key, value] : tagger.facts()) facts[key] = value;
  json["tagger"] = {{"attributes", attribute_list(tagger)}, {"facts", facts}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void info(const InfoOptions& options) {
  const SectionFile file = SectionFile::open(options.model);
  const std::optional<std::int64_t> bytes = size_of(options.model);
  const auto report = [&](const auto& model) {
    write_output(options.json ? json_report(options.model, bytes, model)
                              : text_report(options.model, bytes, model));
  };
  if (!file.has("settings") && Tagger::is_in(file))  // a tagger by itself
    report(Tagger::from_file(file));
  else
    report(Pipeline::from_file(file));
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* command = program.add_subcommand("info", "Say what a model is and how it was made");
  command->footer(
      "Also checks that the file is complete and undamaged: if not, the exit status is 1.\n\n"
      "Examples:\n"
      "  copse info en.copse\n"
      "  copse info en.copse --json | jq '.facts[\"development UAS\"]'");
  auto options = std::make_shared<InfoOptions>();
  command->add_option("MODEL", options->model, "What `copse train` or `copse tag --train` has written")
      ->required()
      ->option_text(" ");
  command->add_flag("--json", options->json, "Write everything as JSON, for programs");
  command->callback([options] { info(*options); });
}

}  // namespace copse
