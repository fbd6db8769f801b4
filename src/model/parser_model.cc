#include "model/parser_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/hashed_potentials.h"
#include "model/names.h"
#include "model/network_potentials.h"

namespace copse {
namespace {

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kFacts = "facts";
constexpr std::string_view kParser = "parser";
constexpr std::string_view kPruner = "pruner";
constexpr std::string_view kLabels = "labels";
constexpr std::string_view kTemperature = "temperature";
constexpr std::string_view kRootLabels = "network/root-labels";

bool is_temperature(double value) { return value > 0.0 && std::isfinite(value); }

// Projective trees are not mentioned: those of a program that knew no others are projective, and it can say
// what it does not know of models with others.
constexpr std::string_view kNonprojective = " nonprojective";

std::string name_of(TreeSpace trees) {
  std::string text(name(trees.root));
  if (trees.kind == TreeKind::nonprojective) text += kNonprojective;
  return text;
}

std::optional<TreeSpace> parse_tree_space(std::string_view text) {
  const bool is_nonprojective = text.ends_with(kNonprojective);
  if (is_nonprojective) text.remove_suffix(kNonprojective.size());
  const std::optional<RootMode> root = parse_root_mode(text);
  if (!root) return std::nullopt;
  return TreeSpace(*root, is_nonprojective ? TreeKind::nonprojective : TreeKind::projective);
}

}  // namespace

ParserModel::ParserModel(TreeSpace trees, LinearModel parser, Facts facts)
    : trees_(trees), parser_(std::move(parser)), facts_(std::move(facts)) {}

ParserModel::ParserModel(TreeSpace trees, Network network, double prune_threshold, RootLabels root_labels,
                         Facts facts)
    : trees_(trees),
      network_(std::make_shared<const Network>(std::move(network))),
      root_labels_(std::move(root_labels)),
      prune_threshold_(prune_threshold),
      facts_(std::move(facts)) {}

std::size_t ParserModel::weights() const {
  return network_ ? network_->blocks().size : parser().weights().size();
}

void ParserModel::set_pruner(LinearModel pruner, double threshold) {
  pruner_.emplace(std::move(pruner));
  prune_threshold_ = threshold;
}

void ParserModel::set_fact(std::string key, std::string value) {
  const auto found =
      std::find_if(facts_.begin(), facts_.end(), [&](const auto& fact) { return fact.first == key; });
  if (found == facts_.end()) return add_fact(std::move(key), std::move(value));
  found->second = std::move(value);
}

void ParserModel::set_temperature(double temperature) {
  if (!is_temperature(temperature)) throw std::invalid_argument("a temperature is above 0");
  temperature_ = temperature;
}

std::unique_ptr<PotentialSource> ParserModel::make_potentials() const {
  if (network_) return std::make_unique<NetworkPotentials>(*network_, &root_labels_);
  return std::make_unique<HashedPotentials>(parser(), pruner(), labels());
}

void ParserModel::save(const std::string& path) const {
  SectionFileWriter writer(path);
  add_to(writer);
  writer.close();
}

void ParserModel::add_to(SectionFileWriter& writer) const {
  ByteWriter settings;
  settings.text(name_of(trees_));
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
  if (network_) {
    network_->add_to(writer);
    root_labels_.add_to(writer, kRootLabels);
  } else {
    parser().save(writer, kParser);
  }
  if (pruner_) pruner_->save(writer, kPruner);
  if (labels_) labels_->save(writer, kLabels);
  if (temperature_ != 1.0) {
    ByteWriter temperature;
    temperature.f64(temperature_);
    writer.add(kTemperature, temperature.take());
  }
}

ParserModel::Facts ParserModel::facts_of(const SectionFile& file) {
  Facts facts;
  ByteReader reader = file.reader(kFacts);
  for (std::uint32_t count = reader.u32(); count > 0; --count) {
    std::string key(reader.text());
    facts.emplace_back(std::move(key), reader.text());
  }
  reader.expect_end();
  return facts;
}

ParserModel ParserModel::from_file(const SectionFile& file) {
  ByteReader settings = file.reader(kSettings);
  const TreeSpace trees = read_name(settings, parse_tree_space);
  const double threshold = settings.f64();
  if (!(threshold >= 0.0 && threshold <= 1.0)) settings.fail("has a threshold that is not from 0 to 1");
  const bool has_pruner = settings.u8() != 0;
  settings.expect_end();
  Facts facts = facts_of(file);
  ParserModel model = [&] {
    if (!Network::is_in(file)) return ParserModel(trees, LinearModel::load(file, kParser), std::move(facts));
    Network network = Network::from_file(file);
    RootLabels root_labels = RootLabels::from_file(file, kRootLabels, network.description().labels);
    return ParserModel(trees, std::move(network), threshold, std::move(root_labels), std::move(facts));
  }();
  if (trees.kind == TreeKind::nonprojective && model.factorization() != Factorization::first) {
    settings.fail("has nonprojective trees, but is not first-order");
  }
  if (has_pruner && model.network() != nullptr) settings.fail("has a network and a pruner");
  if (file.has(kLabels) && model.network() != nullptr) settings.fail("has a network and labels beside it");
  if (has_pruner) {
    model.set_pruner(LinearModel::load(file, kPruner), threshold);
    if (model.pruner()->factorization() != Factorization::first) {
      file.reader("pruner/settings").fail("is not first-order");
    }
  }
  if (file.has(kLabels)) {
    model.set_labels(LabelModel::load(file, kLabels));
    if (model.labels()->extractor().factorization() != model.factorization()) {
      file.reader(kLabels).fail("has another factorization than the parser");
    }
  }
  if (file.has(kTemperature)) {
    ByteReader temperature = file.reader(kTemperature);
    model.temperature_ = temperature.f64();
    if (!is_temperature(model.temperature_)) temperature.fail("is not above 0");
    temperature.expect_end();
  }
  return model;
}

}  // namespace copse
