// Reads arbitrary bytes as a request of HTTP, its query and its form.
#include <cstdint>

#include "report.h"
#include "serving/request_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  copse::report(copse::testing::request_violation({reinterpret_cast<const char*>(data), size}));
  return 0;
}
