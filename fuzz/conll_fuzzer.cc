// Reads arbitrary bytes as a CoNLL file: they are refused with a DataError or survive a round trip. The first
// byte chooses the options.
#include <cstdint>
#include <string_view>

#include "report.h"
#include "treebank/roundtrip_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  copse::ConllReadOptions options;
  options.format = static_cast<copse::ConllFormat>(data[0] & 3);
  options.validate_trees = (data[0] & 4) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  copse::report(copse::roundtrip_violation(bytes, options));
  return 0;
}
