// Loads networks of which one section is arbitrary bytes: they are refused with a DataError or can be parsed
// with. The first byte says which section; the others are sound, without which little would be reached.
#include <cstdint>

#include "network/network_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const copse::NamedSections kSound[] = {copse::network_sections(copse::Spelling::affixes),
                                                copse::network_sections(copse::Spelling::characters)};
  if (size == 0) return 0;
  copse::NamedSections sections = kSound[data[0] & 1];
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  sections[(data[0] >> 1) % sections.size()].second.assign(bytes.begin(), bytes.end());
  copse::report(copse::network_violation(sections));
  return 0;
}
