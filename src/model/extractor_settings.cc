#include "model/extractor_settings.h"

#include "model/names.h"

namespace copse {

void write_extractor(const FeatureExtractor& extractor, ByteWriter& writer) {
  const FeatureOptions& options = extractor.options();
  writer.text(name(extractor.factorization()));
  writer.text(name(options.set));
  writer.text(name(options.coarse));
  writer.u8(options.has_lemmas ? 1 : 0);
  writer.u8(options.has_feats ? 1 : 0);
  writer.u32(static_cast<std::uint32_t>(options.conjunction_tags.size()));
  for (const std::string& tag : options.conjunction_tags) writer.text(tag);
  writer.numbers(std::span<const std::uint64_t>(options.left_out));
}

FeatureExtractor read_extractor(ByteReader& reader) {
  const Factorization factorization = read_name(reader, parse_factorization);
  FeatureOptions options;
  options.set = read_name(reader, parse_feature_set);
  options.coarse = read_name(reader, parse_coarse_rule);
  options.has_lemmas = reader.u8() != 0;
  options.has_feats = reader.u8() != 0;
  options.conjunction_tags.clear();
  for (std::uint32_t tags = reader.u32(); tags > 0; --tags) {
    options.conjunction_tags.emplace_back(reader.text());
  }
  options.left_out = reader.numbers<std::uint64_t>();
  return {options, factorization};
}

}  // namespace copse
