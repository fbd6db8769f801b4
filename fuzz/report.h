#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace copse {

// Tells what went wrong, if something did, and ends the program, which a fuzzer notices.
inline void report(const std::optional<std::string>& violation) {
  if (!violation) return;
  std::fprintf(stderr, "%s\n", violation->c_str());
  std::abort();
}

}  // namespace copse
