// Reads arbitrary bytes as a bracket file: they are refused with a DataError or become dependency trees.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "constituency/bracket_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const copse::ConversionRules rules = copse::ConversionRules::english();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto violation = copse::bracket_violation(bytes, rules)) {
    std::fprintf(stderr, "%s\n", violation->c_str());
    std::abort();
  }
  return 0;
}
