#include "pipeline/model_settings.h"

#include "io/bytes.h"

namespace copse {
namespace {

constexpr std::string_view kSection = "settings/options";

// In the file, a value stands behind its place in SettingValue.
struct Writer {
  ByteWriter& bytes;

  void operator()(bool value) const { bytes.u8(value ? 1 : 0); }
  void operator()(std::uint64_t value) const { bytes.u64(value); }
  void operator()(double value) const { bytes.f64(value); }
  void operator()(const std::string& value) const { bytes.text(value); }
  void operator()(const std::vector<std::string>& values) const {
    bytes.u32(static_cast<std::uint32_t>(values.size()));
    for (const std::string& value : values) bytes.text(value);
  }
};

SettingValue read_value(ByteReader& bytes) {
  switch (bytes.u8()) {
    case 0:
      return bytes.u8() != 0;
    case 1:
      return bytes.u64();
    case 2:
      return bytes.f64();
    case 3:
      return std::string(bytes.text());
    case 4: {
      std::vector<std::string> values;
      for (std::uint32_t left = bytes.u32(); left > 0; --left) values.emplace_back(bytes.text());
      return values;
    }
    default:
      bytes.fail("has an option of an unknown kind");
  }
}

}  // namespace

void add_settings(SectionFileWriter& file, const ModelSettings& settings) {
  if (settings.empty()) return;
  ByteWriter bytes;
  bytes.u32(static_cast<std::uint32_t>(settings.size()));
  for (const auto& [name, value] : settings) {
    bytes.text(name);
    bytes.u8(static_cast<std::uint8_t>(value.index()));
    std::visit(Writer{bytes}, value);
  }
  file.add(kSection, bytes.take());
}

ModelSettings read_settings(const SectionFile& file) {
  ModelSettings settings;
  if (!file.has(kSection)) return settings;
  ByteReader bytes = file.reader(kSection);
  for (std::uint32_t left = bytes.u32(); left > 0; --left) {
    std::string name(bytes.text());
    settings.emplace_back(std::move(name), read_value(bytes));
  }
  bytes.expect_end();
  return settings;
}

}  // namespace copse
