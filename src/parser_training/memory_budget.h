#pragma once

#include <cstddef>

namespace copse {

// What is left of `limit` bytes, given what is in use now and what else is to come.
std::size_t memory_left(std::size_t limit, std::size_t to_come);

}  // namespace copse
