// Reads arbitrary bytes as a multipart/form-data body: the first line is the value of Content-Type, the rest
// is the body.
#include <cstdint>

#include "report.h"
#include "serving/media_type.h"
#include "serving/multipart_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace copse;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return 0;
  const auto type = parse_parameterised(text.substr(0, end));
  const std::string* boundary = type ? type->parameter("boundary") : nullptr;
  if (boundary != nullptr) report(testing::multipart_violation(text.substr(end + 1), *boundary));
  return 0;
}
