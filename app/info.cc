#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/parse_options.h"
#include "default_model.h"
#include "io/section_file.h"
#include "network/pretrained_encoder.h"
#include "number_text.h"
#include "pipeline/model_components.h"
#include "pipeline/model_kind.h"
#include "render/text_width.h"
#include "run_report/setting_json.h"
#include "text/letter_case.h"
#include "vectors/word_vectors.h"

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

std::string attribute_names(const TaggerModel& tagger) {
  std::string names;
  for (const TagAttribute attribute : tagger.attributes()) {
    if (!names.empty()) names += ' ';
    names += upper_name(attribute);
  }
  return names;
}

std::vector<std::string_view> attribute_list(const TaggerModel& tagger) {
  std::vector<std::string_view> names;
  for (const TagAttribute attribute : tagger.attributes()) names.push_back(name(attribute));
  return names;
}

// The columns that a network predicts.
std::string network_tags(const Network* network) {
  std::string names;
  if (network == nullptr || network->description().tags.empty()) return "none";
  for (const TagColumn& column : network->description().tags) {
    names += names.empty() ? "" : " ";
    names += name_of(column.column);
  }
  return names + ", by the network";
}

std::string_view labelling(const ModelComponents& pipeline) {
  if (pipeline.parser.network() != nullptr) return "network";
  return pipeline.labeller ? "two-stage" : "joint";
}

// Without the temperature that training found: packing may have fitted another one, which the model has.
ParserModel::Facts facts_of(const ParserModel& model) {
  ParserModel::Facts facts = model.facts();
  std::erase_if(facts, [](const auto& fact) { return fact.first == "temperature"; });
  return facts;
}

nlohmann::ordered_json network_json(const Network& network) {
  const NetworkShape& shape = network.shape();
  std::vector<std::string> tags;
  for (const TagColumn& column : network.description().tags) tags.push_back(lowered(name_of(column.column)));
  const auto& vectors = network.description().vectors;
  return {{"spelling", name(shape.spelling)},
          {"word_size", shape.word_size},
          {"spelling_size", shape.spelling_size},
          {"layers", shape.layers},
          {"hidden", shape.hidden},
          {"arc_size", shape.arc_size},
          {"label_size", shape.label_size},
          {"rank", shape.rank},
          {"words", network.description().inputs.words.size() - 1},
          {"vectors", vectors ? vectors->size() : 0},
          {"tags", tags}};
}

// As people would write it.
std::string setting_text(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* files = std::get_if<std::vector<std::string>>(&value)) {
    return fmt::format("{}", fmt::join(*files, " "));
  }
  return setting_json(value).dump();
}

std::string with_spaces(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Behind other rows.
std::string settings_text(const ModelSettings& settings) {
  std::string out = settings.empty() ? "" : "\n";
  for (const auto& [name, value] : settings) {
    out += fmt::format("{:<20} {}\n", printable(with_spaces(name)), printable(setting_text(value)));
  }
  return out;
}

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const ModelComponents& pipeline) {
  const ParserModel& model = pipeline.parser;
  std::string out;
  const auto row = [&out](std::string_view what, std::string_view value) {
    out += fmt::format("{:<20} {}\n", printable(what), printable(value));
  };
  const auto weights = [](const LinearModel& part) {
    return counted(static_cast<std::int64_t>(part.weights().size()), "weight");
  };
  const Network* network = model.network();
  row("file", path);
  if (bytes) row("size", counted(*bytes, "byte"));
  row("format version", std::to_string(kSectionFileVersion));
  row("factorization", name(model.factorization()));
  row("root", name(model.root()));
  row("trees", name(model.trees().kind));
  if (network != nullptr) {
    row("potentials",
        fmt::format("network, {}", counted(static_cast<std::int64_t>(model.weights()), "weight")));
    row("candidates", model.has_pruner()
                          ? fmt::format("by its first order, threshold {}", model.prune_threshold())
                          : "all arcs");
    if (const auto& vectors = network->description().vectors) {
      row("word vectors",
          fmt::format("{}, {} values each", counted(static_cast<std::int64_t>(vectors->size()), "word"),
                      vectors->dimension()));
    }
  } else {
    const FeatureOptions& features = model.parser().extractor().options();
    row("feature set", name(features.set));
    row("coarse tags", name(features.coarse));
    row("parser", weights(model.parser()));
    row("pruner", model.pruner() == nullptr
                      ? "none"
                      : fmt::format("{}, threshold {}", weights(*model.pruner()), model.prune_threshold()));
  }
  row("segmenter", pipeline.segmenter ? "sentences, tokens, words" : "none");
  row("tagger", pipeline.tagger ? attribute_names(*pipeline.tagger) : network_tags(network));
  row("labels", pipeline.labels() == nullptr
                    ? "none"
                    : fmt::format("{}, {}", pipeline.labels()->size(), labelling(pipeline)));
  if (model.temperature() != 1.0) row("temperature", fmt::format("{:.3f}", model.temperature()));
  if (pipeline.is_pseudo_projective) row("crossing arcs", "restored by labels");
  const ParserModel::Facts facts = facts_of(model);
  if (!facts.empty()) out += "\n";
  for (const auto& [key, value] : facts) row(key, value);
  return out + settings_text(pipeline.settings);
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const ModelComponents& pipeline) {
  const ParserModel& model = pipeline.parser;
  const Network* network = model.network();
  nlohmann::ordered_json json = {
      {"file", path},
      {"bytes", nullptr},
      {"format_version", kSectionFileVersion},
      {"factorization", name(model.factorization())},
      {"root", name(model.root())},
      {"trees", name(model.trees().kind)},
      {"potentials", network == nullptr ? "linear" : "network"},
      {"features", nullptr},
      {"coarse", nullptr},
      {"weights", model.weights()},
      {"pruner", nullptr},
      {"segmenter", pipeline.segmenter.has_value()},
      {"tagger", nullptr},
      {"labels", nullptr},
      {"temperature", model.temperature()},
      {"pseudo_projective", pipeline.is_pseudo_projective},
      {"facts", nlohmann::ordered_json::object()},
      {"options", settings_json(pipeline.settings)},
  };
  if (bytes) json["bytes"] = *bytes;
  if (network == nullptr) {
    const FeatureOptions& features = model.parser().extractor().options();
    json["features"] = name(features.set);
    json["coarse"] = name(features.coarse);
  } else {
    json["network"] = network_json(*network);
    if (!network->description().tags.empty()) json["tagger"] = {{"attributes", json["network"]["tags"]}};
  }
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
  for (const auto& [key, value] : facts_of(model)) json["facts"][key] = value;
  // Names of files need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Of the parts of a pipeline: what it is, and its facts.
std::string part_text(const std::string& path, std::optional<std::int64_t> bytes, std::string_view part,
                      std::string_view description, const TaggerModel::Facts& facts) {
  std::string out = fmt::format("{:<20} {}\n", "file", printable(path));
  if (bytes) out += fmt::format("{:<20} {}\n", "size", counted(*bytes, "byte"));
  out += fmt::format("{:<20} {}\n\n", part, description);
  for (const auto& [key, value] : facts) {
    out += fmt::format("{:<20} {}\n", printable(key), printable(value));
  }
  return out;
}

std::string part_json(const std::string& path, std::optional<std::int64_t> bytes, const std::string& part,
                      nlohmann::ordered_json content, const TaggerModel::Facts& facts) {
  nlohmann::ordered_json json = {
      {"file", path}, {"bytes", nullptr}, {"format_version", kSectionFileVersion}, {part, nullptr}};
  if (bytes) json["bytes"] = *bytes;
  content["facts"] = nlohmann::ordered_json::object();
  for (const auto& [key, value] : facts) content["facts"][key] = value;
  json[part] = std::move(content);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const TaggerModel& tagger) {
  return part_text(path, bytes, "tagger", attribute_names(tagger), tagger.facts());
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const TaggerModel& tagger) {
  return part_json(path, bytes, "tagger", {{"attributes", attribute_list(tagger)}}, tagger.facts());
}

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const SegmenterModel& segmenter) {
  return part_text(path, bytes, "segmenter", "sentences, tokens, words", segmenter.facts());
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const SegmenterModel& segmenter) {
  return part_json(path, bytes, "segmenter", nlohmann::ordered_json::object(), segmenter.facts());
}

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const WordVectors& vectors) {
  const std::string size = counted(static_cast<std::int64_t>(vectors.size()), "word");
  return part_text(path, bytes, "word vectors", fmt::format("{}, {} values each", size, vectors.dimension()),
                   vectors.facts());
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes,
                        const WordVectors& vectors) {
  return part_json(path, bytes, "vectors", {{"words", vectors.size()}, {"dimension", vectors.dimension()}},
                   vectors.facts());
}

// With the settings that it was made with, which files of earlier versions do not have.
struct MadeEncoder {
  PretrainedEncoder encoder;
  ModelSettings settings;
};

std::string text_report(const std::string& path, std::optional<std::int64_t> bytes, const MadeEncoder& made) {
  const PretrainedEncoder& encoder = made.encoder;
  const NetworkShape& shape = encoder.shape();
  std::string out = part_text(
      path, bytes, "encoder",
      fmt::format("{} of {} units in each direction, {}, {} values each",
                  counted(static_cast<std::int64_t>(shape.layers), "layer"), shape.hidden,
                  counted(static_cast<std::int64_t>(encoder.vectors().size()), "word"), shape.word_size),
      encoder.facts());
  // A line that stands there already is enough.
  ModelSettings settings = made.settings;
  std::erase_if(settings, [&](const auto& setting) {
    const auto is_same = [&](const auto& fact) { return fact.first == setting.first; };
    return std::any_of(encoder.facts().begin(), encoder.facts().end(), is_same);
  });
  return out + settings_text(settings);
}

std::string json_report(const std::string& path, std::optional<std::int64_t> bytes, const MadeEncoder& made) {
  const PretrainedEncoder& encoder = made.encoder;
  const NetworkShape& shape = encoder.shape();
  return part_json(path, bytes, "encoder",
                   {{"layers", shape.layers},
                    {"hidden", shape.hidden},
                    {"word_size", shape.word_size},
                    {"spelling_size", shape.spelling_size},
                    {"affix_rows", shape.affix_rows},
                    {"words", encoder.vectors().size()},
                    {"options", settings_json(made.settings)}},
                   encoder.facts());
}

void info(const InfoOptions& options) {
  const std::string path = model_path(options.model);
  const SectionFile file = SectionFile::open(path);
  const std::optional<std::int64_t> bytes = size_of(path);
  const auto report = [&](const auto& model) {
    write_output(options.json ? json_report(path, bytes, model) : text_report(path, bytes, model));
  };
  switch (model_kind(file)) {
    case ModelKind::tagger:
      return report(TaggerModel::from_file(file));
    case ModelKind::segmenter:
      return report(SegmenterModel::from_file(file));
    case ModelKind::vectors:
      return report(WordVectors::from_file(file));
    case ModelKind::encoder:
      return report(MadeEncoder{PretrainedEncoder::from_file(file), read_settings(file)});
    case ModelKind::parser:
    case ModelKind::unknown:
      return report(ModelComponents::from_file(file));
  }
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* command = program.add_subcommand("info", "Say what a model is and how it was made");
  command->footer(
      "Also checks that the file is complete and undamaged: if not, the exit status is 1.\n\n"
      "Examples:\n"
      "  copse info                        the model that comes with Copse\n"
      "  copse info en.copse\n"
      "  copse info en.copse --json | jq '.facts[\"development UAS\"]'");
  auto options = std::make_shared<InfoOptions>();
  command
      ->add_option("MODEL", options->model,
                   "What `copse train`, `copse vectors`, `copse pretrain`, or `copse tag` or `copse segment` "
                   "with --train, "
                   "has written, or the name of a model")
      ->option_text("[the English model]");
  command->add_flag("--json", options->json, "Write everything as JSON, for programs");
  command->callback([options] { info(*options); });
}

}  // namespace copse
