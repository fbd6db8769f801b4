#include "tagging/tagger_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "copse/error.h"
#include "features/hashing.h"
#include "io/zstd_block.h"
#include "tagging/tagger_layer.h"
#include "text/utf8.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 4> kAttributeNames = {"upos", "xpos", "feats", "lemma"};
constexpr std::string_view kSettings = "tagger/settings";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMostLayers = 16;

std::string layer_section(std::size_t layer) { return fmt::format("tagger/layer{}", layer); }

std::vector<std::byte> encode(const TaggerLayer& layer) {
  ByteWriter writer;
  writer.text(name(layer.attribute));
  writer.u32(static_cast<std::uint32_t>(layer.labels.size()));
  for (const std::string& label : layer.labels) writer.text(label);
  layer.model.save(writer);
  return zstd_compress(writer.bytes());
}

TaggerLayer decode(std::span<const std::byte> section, const std::string& place) {
  const std::vector<std::byte> bytes = zstd_decompress(section, place);
  ByteReader reader(bytes, place);
  TaggerLayer layer;
  const std::string_view text = reader.text();
  const std::optional<TagAttribute> attribute = parse_tag_attribute(text);
  if (!attribute) reader.fail(fmt::format("has {}, which this program does not know", quoted(text)));
  layer.attribute = *attribute;
  for (std::uint32_t count = reader.u32(); count > 0; --count) layer.labels.emplace_back(reader.text());
  layer.model = SequenceModel::load(reader);
  reader.expect_end();
  if (static_cast<std::size_t>(layer.model.labels) != layer.labels.size() || !layer.read_labels()) {
    reader.fail("has labels that do not fit");
  }
  return layer;
}

}  // namespace

std::string_view name(TagAttribute attribute) { return kAttributeNames[static_cast<std::size_t>(attribute)]; }

std::string upper_name(TagAttribute attribute) {
  std::string text;
  for (const char c : name(attribute)) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::optional<TagAttribute> parse_tag_attribute(std::string_view name) {
  const auto* found = std::find(kAttributeNames.begin(), kAttributeNames.end(), name);
  if (found == kAttributeNames.end()) return std::nullopt;
  return static_cast<TagAttribute>(found - kAttributeNames.begin());
}

std::string_view value(const Token& word, TagAttribute attribute) {
  switch (attribute) {
    case TagAttribute::upos:
      return word.upos();
    case TagAttribute::xpos:
      return word.xpos();
    case TagAttribute::feats:
      return word.feats();
    case TagAttribute::lemma:
      break;
  }
  return word.lemma();
}

std::string label_text(const Token& word, TagAttribute attribute) {
  if (attribute == TagAttribute::lemma) return LemmaRule::between(word.form(), word.lemma()).text();
  return std::string(value(word, attribute));
}

bool TaggerLayer::read_labels() {
  for (const std::string& label : labels) {
    hashes.push_back(hash_text(label));
    if (is_lemma()) {
      const std::optional<LemmaRule> rule = LemmaRule::parse(label);
      if (!rule || !rule->is_usable()) return false;
      rules.push_back(*rule);
    } else if (label.empty() || !is_field_text(label)) {
      return false;
    }
  }
  return true;
}

std::uint64_t next_tag(std::uint64_t tag, std::uint64_t label_hash) { return mix(mix(tag) + label_hash); }

TaggerModel::TaggerModel(std::vector<TaggerLayer> layers, Facts facts)
    : layers_(std::make_shared<const std::vector<TaggerLayer>>(std::move(layers))),
      facts_(std::move(facts)) {}

std::span<const TaggerLayer> TaggerModel::layers() const { return *layers_; }

std::vector<TagAttribute> TaggerModel::attributes() const {
  std::vector<TagAttribute> attributes;
  for (const TaggerLayer& layer : layers()) attributes.push_back(layer.attribute);
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

void TaggerModel::save(const std::string& path) const {
  SectionFileWriter file(path);
  add_to(file);
  file.close();
}

void TaggerModel::add_to(SectionFileWriter& file) const {
  ByteWriter options;
  options.u32(kVersion);
  options.u32(static_cast<std::uint32_t>(layers().size()));
  options.u32(static_cast<std::uint32_t>(facts_.size()));
  for (const auto& [key, text] : facts_) {
    options.text(key);
    options.text(text);
  }
  file.add(kSettings, options.take());
  for (std::size_t k = 0; k < layers().size(); ++k) file.add(layer_section(k), encode(layers()[k]));
}

bool TaggerModel::is_in(const SectionFile& file) { return file.has(kSettings); }

TaggerModel TaggerModel::from_file(const SectionFile& file) {
  if (!is_in(file)) throw DataError(file.path() + ": has no tagger; make one with `copse tag --train`");
  ByteReader options = file.reader(kSettings);
  if (options.u32() != kVersion) options.fail("is of another version");
  const std::uint32_t count = options.u32();
  if (count == 0 || count > kMostLayers) options.fail("has an impossible number of layers");
  Facts facts;
  for (std::uint32_t left = options.u32(); left > 0; --left) {
    std::string key(options.text());
    facts.emplace_back(std::move(key), options.text());
  }
  options.expect_end();
  std::vector<TaggerLayer> layers;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::string section = layer_section(k);
    layers.push_back(decode(file.section(section), fmt::format("{}, section {}", file.path(), section)));
  }
  TaggerModel tagger(std::move(layers), std::move(facts));
  const std::vector<TagAttribute> attributes = tagger.attributes();
  if (std::adjacent_find(attributes.begin(), attributes.end()) != attributes.end()) {
    options.fail("tags a column twice");
  }
  return tagger;
}

}  // namespace copse
