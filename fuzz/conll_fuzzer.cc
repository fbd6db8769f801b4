// Reads arbitrary bytes as a CoNLL file: they are refused with a DataError or survive a round trip. The first
// byte chooses the options.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "treebank/roundtrip_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  copse::ConllReadOptions options;
  options.format = static_cast<copse::ConllFormat>(data[0] & 3);
  options.validate_trees = (data[0] & 4) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const auto violation = copse::roundtrip_violation(bytes, options)) {
    std::fprintf(stderr, "%s\n", violation->c_str());
    std::abort();
  }
  return 0;
}
