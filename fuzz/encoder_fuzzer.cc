// Loads encoders of which one section is arbitrary bytes: they are refused with a DataError, or parsers can
// begin with them. The first byte says which section; the others are sound.
#include <cstdint>

#include "network/encoder_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const copse::NamedSections kSound = copse::testing::encoder_sections();
  if (size == 0) return 0;
  copse::NamedSections sections = kSound;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  sections[data[0] % sections.size()].second.assign(bytes.begin(), bytes.end());
  copse::report(copse::testing::encoder_violation(sections));
  return 0;
}
