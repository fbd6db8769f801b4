#include "segmentation/segmenter_model.h"

#include <fmt/format.h>

#include "copse/error.h"
#include "io/zstd_block.h"
#include "segmentation/segmenter_content.h"

namespace copse {
namespace {

constexpr std::string_view kSettings = "segmenter/settings";
constexpr std::string_view kModel = "segmenter/model";
constexpr std::string_view kCharacterSection = "segmenter/characters";
constexpr std::string_view kContextSection = "segmenter/context";
constexpr std::uint32_t kVersion = 1;

std::vector<std::byte> encode(const SegmenterContent& model) {
  ByteWriter writer;
  model.rules.save(writer);
  model.labels.save(writer);
  model.splitter.save(writer);
  return zstd_compress(writer.bytes());
}

SegmenterContent decode(std::span<const std::byte> section, const std::string& place) {
  const std::vector<std::byte> bytes = zstd_decompress(section, place);
  ByteReader reader(bytes, place);
  SegmenterContent model;
  model.rules = SlotRules::load(reader);
  model.labels = SequenceModel::load(reader);
  model.splitter = WordSplitter::load(reader);
  reader.expect_end();
  if (model.labels.labels != kSlotLabels) reader.fail("has labels that do not fit");
  return model;
}

// Parts that only some segmenters have, each in a section of its own.
template <class Part>
void add_optional(const std::optional<Part>& part, std::string_view section, SectionFileWriter& file) {
  if (!part) return;
  ByteWriter writer;
  part->save(writer);
  file.add(section, zstd_compress(writer.bytes()));
}
template <class Part>
void read_optional(const SectionFile& file, std::string_view section, std::optional<Part>& part) {
  if (!file.has(section)) return;
  const std::string place = fmt::format("{}, section {}", file.path(), section);
  const std::vector<std::byte> bytes = zstd_decompress(file.section(section), place);
  ByteReader reader(bytes, place);
  part = Part::load(reader);
  reader.expect_end();
}

}  // namespace

SegmenterModel::SegmenterModel(SegmenterContent model, Facts facts)
    : model_(std::make_shared<const SegmenterContent>(std::move(model))), facts_(std::move(facts)) {}

void SegmenterModel::save(const std::string& path) const {
  SectionFileWriter file(path);
  add_to(file);
  file.close();
}

void SegmenterModel::add_to(SectionFileWriter& file) const {
  ByteWriter settings;
  settings.u32(kVersion);
  settings.u32(static_cast<std::uint32_t>(facts_.size()));
  for (const auto& [key, text] : facts_) {
    settings.text(key);
    settings.text(text);
  }
  file.add(kSettings, settings.take());
  file.add(kModel, encode(model()));
  add_optional(model().characters, kCharacterSection, file);
  add_optional(model().context, kContextSection, file);
}

bool SegmenterModel::is_in(const SectionFile& file) { return file.has(kSettings); }

SegmenterModel SegmenterModel::from_file(const SectionFile& file) {
  if (!is_in(file))
    throw DataError(file.path() + ": has no segmenter; make one with `copse segment --train`");
  ByteReader settings = file.reader(kSettings);
  if (settings.u32() != kVersion) settings.fail("is of another version");
  Facts facts;
  for (std::uint32_t left = settings.u32(); left > 0; --left) {
    std::string key(settings.text());
    facts.emplace_back(std::move(key), settings.text());
  }
  settings.expect_end();
  SegmenterContent model = decode(file.section(kModel), fmt::format("{}, section {}", file.path(), kModel));
  read_optional(file, kCharacterSection, model.characters);
  read_optional(file, kContextSection, model.context);
  return SegmenterModel(std::move(model), std::move(facts));
}

}  // namespace copse
