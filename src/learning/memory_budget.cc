#include "learning/memory_budget.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace copse {

std::size_t resident_bytes() {
  std::ifstream statistics("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  const long page = ::sysconf(_SC_PAGESIZE);
  if (!(statistics >> all >> resident) || page <= 0) return 0;
  return resident * static_cast<std::size_t>(page);
}

std::size_t memory_left(std::size_t limit, std::size_t to_come) {
#ifdef __GLIBC__
  ::malloc_trim(0);  // what is free counts as free
#endif
  const std::size_t taken = resident_bytes() + to_come;
  return limit > taken ? limit - taken : 0;
}

}  // namespace copse
