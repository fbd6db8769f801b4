#pragma once

namespace copse::bench {

// Of the processor, spent by this thread: other programs do not count.
double thread_seconds();

// Multiply-adds of doubles per second that one core reaches on registers alone, with the widest vectors of
// the machine that the library uses.
double measured_peak_multiply_adds();
// Bytes per second that one core reads from memory, one after the other, from an array that no cache holds.
double measured_memory_bytes();
// The name of that instruction set.
const char* vector_target();

}  // namespace copse::bench
