#include "model/hash_filter.h"

#include "model/lookup_kernels.h"

namespace copse {

HashFilter::HashFilter(std::size_t hashes) {
  // Eight to sixteen bits per feature.
  constexpr int kFewestBits = 12;
  constexpr int kMostBits = 32;
  int bits = kFewestBits;
  while (bits < kMostBits && (std::size_t{1} << bits) < hashes * 8) ++bits;
  shift_ = 64 - bits;
  words_.assign(std::size_t{1} << (bits - 6), 0);
}

std::size_t HashFilter::keep(const std::uint64_t* hashes, std::span<int> lengths, std::uint64_t* kept) const {
  return keep_possible({words_.data(), shift_}, hashes, lengths, kept);
}

}  // namespace copse
