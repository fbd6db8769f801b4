// Counts what the program allocates. Replaces the global operators, so only one source file of a program may
// include it.
#pragma once

#include <cstdlib>
#include <new>

namespace {

long allocations = 0;

void* counted(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

std::size_t rounded_up(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

// The other forms of new and delete are defined by the standard library in terms of these. Inlined, they
// would look like mismatched pairs of malloc and delete to the compiler.
[[gnu::noinline]] void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto boundary = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(boundary, rounded_up(size == 0 ? 1 : size, boundary)));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
