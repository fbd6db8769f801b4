#pragma once

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace copse {

// Memory that is read here and there, not from front to back, is asked for in large pages: every access to
// another small page would cost an address translation besides.
template <class T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    constexpr std::size_t kCacheLine = 64;
    const std::size_t alignment = count * sizeof(T) >= kLargePage ? kLargePage : kCacheLine;
    const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (alignment == kLargePage) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; nothing depends on it
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  template <class U>
  bool operator==(const LargePageAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace copse
