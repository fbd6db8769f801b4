#include "parser_training/memory_budget.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "memory/resident_bytes.h"

namespace copse {

std::size_t memory_left(std::size_t limit, std::size_t to_come) {
#ifdef __GLIBC__
  ::malloc_trim(0);  // what is free counts as free
#endif
  const std::size_t taken = resident_bytes() + to_come;
  return limit > taken ? limit - taken : 0;
}

}  // namespace copse
