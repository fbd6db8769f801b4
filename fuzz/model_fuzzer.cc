// Loads models whose sections are arbitrary bytes: they are refused with a DataError or can be parsed with.
// The sections have the right names and checksums, without which little of the reader would be reached; each
// is as long as the number in its first two bytes says, or as what is left.
#include <algorithm>
#include <cstdint>

#include "model/model_property.h"
#include "pipeline/settings_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto rest = std::as_bytes(std::span(data, size));
  copse::NamedSections sections;
  for (const char* name : {"settings", "facts", "parser/settings", "pruner/settings", "parser/weights",
                           "pruner/weights", "settings/options"}) {
    std::size_t length = 0;
    if (rest.size() >= 2) {
      length = copse::load_little_endian<std::uint16_t>(rest.data());
      rest = rest.subspan(2);
    }
    const auto content = rest.first(std::min(length, rest.size()));
    rest = rest.subspan(content.size());
    sections.emplace_back(name, std::vector<std::byte>(content.begin(), content.end()));
  }
  const std::vector<std::byte> file = copse::forged_file(sections);
  copse::report(copse::model_violation(file));
  copse::report(copse::settings_violation(file));
  return 0;
}
