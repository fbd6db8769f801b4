#pragma once

#include <cstddef>

namespace copse {

// The memory that this process has in use, or 0 where nobody can say.
std::size_t resident_bytes();

// What is left of `limit` bytes, given what is in use now and what else is to come.
std::size_t memory_left(std::size_t limit, std::size_t to_come);

}  // namespace copse
