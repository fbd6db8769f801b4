#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace copse {

// The memory of this process that is in use; 0 if the system does not say.
inline std::size_t resident_bytes() {
  std::ifstream statistics("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  const long page = ::sysconf(_SC_PAGESIZE);
  if (!(statistics >> all >> resident) || page <= 0) return 0;
  return resident * static_cast<std::size_t>(page);
}

}  // namespace copse
