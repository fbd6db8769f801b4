// Asks /v1/parse with arbitrary bytes: they are refused in one line, or answered as web/openapi.json says.
#include <cstdint>

#include "report.h"
#include "serving/json_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  copse::report(
      copse::testing::json_request_violation(std::string(reinterpret_cast<const char*>(data), size)));
  return 0;
}
