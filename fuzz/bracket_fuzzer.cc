// Reads arbitrary bytes as a bracket file: they are refused with a DataError or become dependency trees.
#include <cstdint>
#include <string_view>

#include "constituency/bracket_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const copse::ConversionRules rules = copse::ConversionRules::english();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  copse::report(copse::bracket_violation(bytes, rules));
  return 0;
}
