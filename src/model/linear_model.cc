#include "model/linear_model.h"

#include <fmt/format.h>

#include "model/extractor_settings.h"

namespace copse {
namespace {

constexpr std::string_view kLinearSettings = "settings";
constexpr std::string_view kLinearWeights = "weights";

std::string section_name(std::string_view component, std::string_view content) {
  return fmt::format("{}/{}", component, content);
}

}  // namespace

LinearModel::LinearModel(FeatureExtractor extractor, const RoundedWeights& weights)
    : extractor_(std::move(extractor)), weights_(weights) {
  ByteWriter writer;
  encode_weights(weights, writer);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(writer.take());
  encoded_ = *bytes;
  owner_ = bytes;
}

LinearModel::LinearModel(FeatureExtractor extractor, const RoundedWeights& weights,
                         std::span<const std::byte> encoded, std::shared_ptr<const void> owner)
    : extractor_(std::move(extractor)), weights_(weights), encoded_(encoded), owner_(std::move(owner)) {}

RoundedWeights LinearModel::rounded_weights() const {
  ByteReader reader(encoded_, "weights");
  return decode_weights(reader);
}

void LinearModel::save(SectionFileWriter& file, std::string_view name) const {
  ByteWriter settings;
  write_extractor(extractor_, settings);
  file.add(section_name(name, kLinearSettings), settings.take());
  file.add(section_name(name, kLinearWeights), encoded_);
}

LinearModel LinearModel::load(const SectionFile& file, std::string_view name) {
  ByteReader settings = file.reader(section_name(name, kLinearSettings));
  FeatureExtractor extractor = read_extractor(settings);
  settings.expect_end();
  const std::string section = section_name(name, kLinearWeights);
  ByteReader reader = file.reader(section);
  const RoundedWeights weights = decode_weights(reader);
  reader.expect_end();
  return {std::move(extractor), weights, file.section(section), file.keep_alive()};
}

}  // namespace copse
