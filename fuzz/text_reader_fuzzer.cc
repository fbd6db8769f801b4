// Reads arbitrary bytes as text, lines of words, conversion rules, lemma rules or attributes: the first byte
// chooses.
#include <cstdint>

#include "labelling/text_reader_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace copse::testing;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  copse::report(text_reader_violation(data[0] % kTextReaders.size(), bytes));
  return 0;
}
