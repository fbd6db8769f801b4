#include "model/extractor_settings.h"

#include <utility>

#include "model/names.h"

namespace copse {
namespace {

// How FEATS is read. Files of programs that read it as a whole have 0 or 1.
constexpr std::uint8_t kHasFeats = 1;
constexpr std::uint8_t kHasMorphology = 2;  // which follows at the end

void write_morphology(const Morphology& morphology, ByteWriter& writer) {
  writer.u32(static_cast<std::uint32_t>(morphology.refinements.size()));
  for (const auto& [tag, key] : morphology.refinements) {
    writer.text(tag);
    writer.text(key);
  }
}

Morphology read_morphology(ByteReader& reader) {
  Morphology morphology{true, {}};
  for (std::uint32_t count = reader.u32(); count > 0; --count) {
    std::string tag(reader.text());
    morphology.refinements.push_back({std::move(tag), std::string(reader.text())});
  }
  return morphology;
}

}  // namespace

void write_extractor(const FeatureExtractor& extractor, ByteWriter& writer) {
  const FeatureOptions& options = extractor.options();
  writer.text(name(extractor.factorization()));
  writer.text(name(options.set));
  writer.text(name(options.coarse));
  writer.u8(options.has_lemmas ? 1 : 0);
  const bool has_morphology = options.morphology.is_read;
  writer.u8(
      static_cast<std::uint8_t>((options.has_feats ? kHasFeats : 0) | (has_morphology ? kHasMorphology : 0)));
  writer.u32(static_cast<std::uint32_t>(options.conjunction_tags.size()));
  for (const std::string& tag : options.conjunction_tags) writer.text(tag);
  writer.numbers(std::span<const std::uint64_t>(options.left_out));
  if (has_morphology) write_morphology(options.morphology, writer);
}

FeatureExtractor read_extractor(ByteReader& reader) {
  const Factorization factorization = read_name(reader, parse_factorization);
  FeatureOptions options;
  options.set = read_name(reader, parse_feature_set);
  options.coarse = read_name(reader, parse_coarse_rule);
  options.has_lemmas = reader.u8() != 0;
  const std::uint8_t feats = reader.u8();
  if (feats > (kHasFeats | kHasMorphology)) reader.fail("reads FEATS in an unknown way");
  options.has_feats = (feats & kHasFeats) != 0;
  options.conjunction_tags.clear();
  for (std::uint32_t tags = reader.u32(); tags > 0; --tags) {
    options.conjunction_tags.emplace_back(reader.text());
  }
  options.left_out = reader.numbers<std::uint64_t>();
  if ((feats & kHasMorphology) != 0) options.morphology = read_morphology(reader);
  return {options, factorization};
}

}  // namespace copse
