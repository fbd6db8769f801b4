#include "copse/model/model.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "copse/error.h"
#include "copse/io/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kFacts = "facts";
constexpr std::string_view kParser = "parser";
constexpr std::string_view kPruner = "pruner";

std::string section_name(std::string_view component, std::string_view content) {
  return fmt::format("{}/{}", component, content);
}

std::vector<std::byte> encode(const LinearModel& model) {
  const FeatureOptions& options = model.extractor.options();
  ByteWriter writer;
  writer.text(name(model.factorization()));
  writer.text(name(options.set));
  writer.text(name(options.coarse));
  writer.u8(options.has_lemmas ? 1 : 0);
  writer.u8(options.has_feats ? 1 : 0);
  writer.u32(static_cast<std::uint32_t>(options.conjunction_tags.size()));
  for (const std::string& tag : options.conjunction_tags) writer.text(tag);
  return writer.take();
}

// A name that this program knows, or DataError: models of a later program may have others.
template <class Parse>
auto parse_name(ByteReader& reader, Parse parse) {
  const std::string_view text = reader.text();
  const auto value = parse(text);
  if (!value) reader.fail(fmt::format("has {}, which this program does not know", quoted(text)));
  return *value;
}

// Of tags and weights in turn. Weights that are no numbers would be noticed only by sentences that need them.
bool are_weights_finite(std::span<const std::uint32_t> words) {
  for (std::size_t k = 0; k + 1 < words.size(); k += 2) {
    if (words[k] != 0 && !std::isfinite(std::bit_cast<float>(words[k + 1]))) return false;
  }
  return true;
}

FeatureTable load_weights(const SectionFile& file, const std::string& section) {
  const auto words = file.numbers<std::uint32_t>(section);
  std::optional<FeatureTable> table = FeatureTable::from_words(words);
  if (!table || !are_weights_finite(words)) file.reader(section).fail("is not a table of weights");
  return std::move(*table);
}

LinearModel load_component(const SectionFile& file, std::string_view component) {
  ByteReader reader = file.reader(section_name(component, kSettings));
  const Factorization factorization = parse_name(reader, parse_factorization);
  FeatureOptions options;
  options.set = parse_name(reader, parse_feature_set);
  options.coarse = parse_name(reader, parse_coarse_rule);
  options.has_lemmas = reader.u8() != 0;
  options.has_feats = reader.u8() != 0;
  options.conjunction_tags.clear();
  for (std::uint32_t tags = reader.u32(); tags > 0; --tags) {
    options.conjunction_tags.emplace_back(reader.text());
  }
  reader.expect_end();
  return {FeatureExtractor(options, factorization), load_weights(file, section_name(component, "weights"))};
}

}  // namespace

Model::Model(RootMode root, LinearModel parser, Facts facts)
    : root_(root), parser_(std::move(parser)), facts_(std::move(facts)) {}

void Model::set_pruner(LinearModel pruner, double threshold) {
  pruner_.emplace(std::move(pruner));
  prune_threshold_ = threshold;
}

void Model::save(const std::string& path) const {
  SectionFileWriter writer(path);
  ByteWriter settings;
  settings.text(name(root_));
  settings.f64(prune_threshold_);
  settings.u8(pruner_ ? 1 : 0);
  writer.add(kSettings, settings.take());
  ByteWriter facts;
  facts.u32(static_cast<std::uint32_t>(facts_.size()));
  for (const auto& [key, value] : facts_) {
    facts.text(key);
    facts.text(value);
  }
  writer.add(kFacts, facts.take());
  const auto add = [&](std::string_view component, const LinearModel& model) {
    writer.add(section_name(component, kSettings), encode(model));
    writer.add_numbers(section_name(component, "weights"), model.weights.words());
  };
  add(kParser, parser_);
  if (pruner_) add(kPruner, *pruner_);
  writer.close();
}

Model Model::from_file(const SectionFile& file) {
  ByteReader settings = file.reader(kSettings);
  const RootMode root = parse_name(settings, parse_root_mode);
  const double threshold = settings.f64();
  if (!(threshold >= 0.0 && threshold <= 1.0)) settings.fail("has a threshold that is not from 0 to 1");
  const bool has_pruner = settings.u8() != 0;
  settings.expect_end();
  Facts facts;
  ByteReader reader = file.reader(kFacts);
  for (std::uint32_t count = reader.u32(); count > 0; --count) {
    std::string key(reader.text());
    facts.emplace_back(std::move(key), reader.text());
  }
  reader.expect_end();
  Model model(root, load_component(file, kParser), std::move(facts));
  if (has_pruner) {
    model.set_pruner(load_component(file, kPruner), threshold);
    if (model.pruner()->factorization() != Factorization::first) {
      file.reader(section_name(kPruner, kSettings)).fail("is not first-order");
    }
  }
  model.file_ = file.keep_alive();
  return model;
}

}  // namespace copse
