#pragma once

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace copse {

// Cache-line aligned numbers whose memory is kept from sentence to sentence. Growing discards the contents.
class Buffer {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;

  void resize(std::size_t size) {
    size_ = size;
    if (size <= capacity_) return;
    // Some slack, so that a slowly growing series of sentences does not allocate every time.
    const std::size_t wanted = size + size / 4;
    // Large charts are read far apart; in large pages that costs fewer address translations.
    const bool large = wanted * sizeof(double) >= 2 * kLargePage;
    const std::size_t alignment = large ? kLargePage : kAlignment;
    const std::size_t bytes = (wanted * sizeof(double) + alignment - 1) / alignment * alignment;
    memory_.reset();
    capacity_ = 0;
    memory_.reset(static_cast<double*>(std::aligned_alloc(alignment, bytes)));
    if (!memory_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(memory_.get(), bytes, MADV_HUGEPAGE);  // a wish; nothing depends on it
#endif
    capacity_ = bytes / sizeof(double);
  }
  std::size_t size() const { return size_; }
  double* data() { return memory_.get(); }
  const double* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };
  std::unique_ptr<double, Free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace copse
