#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

// Sets each of `size` numbers to `start` plus what the rows, of which there are one to five, have in its
// place.
void sum_rows(std::span<const std::uint64_t* const> rows, std::uint64_t start, std::size_t size,
              std::uint64_t* out);

}  // namespace copse
