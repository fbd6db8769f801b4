// Reads arbitrary bytes as word vectors: they are refused with a DataError or usable. If the first byte is
// odd, the others are the sections of our own file, with the right names and checksums; each is as long as
// the number in its first two bytes says, or as what is left.
#include <algorithm>
#include <cstdint>

#include "model/model_property.h"
#include "report.h"
#include "vectors/word_vectors_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  auto rest = std::as_bytes(std::span(data + 1, size - 1));
  if ((data[0] & 1) == 0) {
    copse::report(copse::vector_reader_violation(std::string(copse::as_text(rest))));
    return 0;
  }
  copse::NamedSections sections;
  for (const char* name : copse::kVectorSections) {
    std::size_t length = 0;
    if (rest.size() >= 2) {
      length = copse::load_little_endian<std::uint16_t>(rest.data());
      rest = rest.subspan(2);
    }
    const auto content = rest.first(std::min(length, rest.size()));
    rest = rest.subspan(content.size());
    sections.emplace_back(name, std::vector<std::byte>(content.begin(), content.end()));
  }
  copse::report(copse::vector_reader_violation(std::string(copse::as_text(copse::forged_file(sections)))));
  return 0;
}
