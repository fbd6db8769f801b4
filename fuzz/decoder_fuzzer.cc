// Decodes arbitrary bytes as what model files hold inside their compressed sections. The first byte chooses
// the decoder, or the component whose section the rest is.
#include <cstdint>

#include "labelling/decoder_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace copse::testing;
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  const size_t choice = data[0] % (kDecoders.size() + kComponents.size());
  copse::report(choice < kDecoders.size() ? decoder_violation(choice, bytes)
                                          : component_violation(choice - kDecoders.size(), bytes));
  return 0;
}
