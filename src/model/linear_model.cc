#include "copse/model/linear_model.h"

#include <fmt/format.h>

#include "copse/io/utf8.h"
#include "model/names.h"

namespace copse {
namespace {

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kWeights = "weights";

std::string section_name(std::string_view component, std::string_view content) {
  return fmt::format("{}/{}", component, content);
}

std::vector<std::byte> encode_settings(const FeatureExtractor& extractor) {
  const FeatureOptions& options = extractor.options();
  ByteWriter writer;
  writer.text(name(extractor.factorization()));
  writer.text(name(options.set));
  writer.text(name(options.coarse));
  writer.u8(options.has_lemmas ? 1 : 0);
  writer.u8(options.has_feats ? 1 : 0);
  writer.u32(static_cast<std::uint32_t>(options.conjunction_tags.size()));
  for (const std::string& tag : options.conjunction_tags) writer.text(tag);
  writer.numbers(std::span<const std::uint64_t>(options.left_out));
  return writer.take();
}

FeatureExtractor decode_settings(ByteReader reader) {
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
  reader.expect_end();
  return {options, factorization};
}

}  // namespace

LinearModel::LinearModel(FeatureExtractor extractor, const WeightList& weights)
    : extractor_(std::move(extractor)), weights_(weights) {
  ByteWriter writer;
  encode_weights(weights, writer);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(writer.take());
  encoded_ = *bytes;
  owner_ = bytes;
}

LinearModel::LinearModel(FeatureExtractor extractor, const WeightList& weights,
                         std::span<const std::byte> encoded, std::shared_ptr<const void> owner)
    : extractor_(std::move(extractor)), weights_(weights), encoded_(encoded), owner_(std::move(owner)) {}

WeightList LinearModel::weight_list() const {
  ByteReader reader(encoded_, "weights");
  return decode_weights(reader);
}

void LinearModel::save(SectionFileWriter& file, std::string_view name) const {
  file.add(section_name(name, kSettings), encode_settings(extractor_));
  file.add(section_name(name, kWeights), encoded_);
}

LinearModel LinearModel::load(const SectionFile& file, std::string_view name) {
  FeatureExtractor extractor = decode_settings(file.reader(section_name(name, kSettings)));
  const std::string section = section_name(name, kWeights);
  ByteReader reader = file.reader(section);
  const WeightList weights = decode_weights(reader);
  reader.expect_end();
  return {std::move(extractor), weights, file.section(section), file.keep_alive()};
}

}  // namespace copse
