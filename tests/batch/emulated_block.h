// A block of threads as a GPU has it, on one thread of the host: each of its threads is a fiber, and at
// barriers and exchanges between threads the others run, in an order that a seed chooses. What is right only
// for some orders, because two threads write the same number or one reads what another has yet to write,
// comes out wrong for others.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace copse::testing {

class EmulatedBlock {
 public:
  class Group;

  EmulatedBlock(int threads, int tile_size, std::uint64_t seed)
      : tile_size_(tile_size),
        random_(seed),
        fibers_(static_cast<std::size_t>(threads)),
        values_(static_cast<std::size_t>(threads)),
        block_{threads},
        tiles_(static_cast<std::size_t>(threads / tile_size), Meeting{tile_size}) {}

  // Runs body(group) in every thread.
  void run(const std::function<void(const Group&)>& body);

 private:
  // Threads that wait for each other.
  struct Meeting {
    int threads;
    int arrived = 0;
    long round = 0;
  };
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<std::byte[]> stack;
    bool is_finished = false;
    const Meeting* waits_for = nullptr;
    long waits_in_round = 0;
  };
  static constexpr std::size_t kStackSize = 256 * 1024;

  static void start(unsigned low, unsigned high);
  void meet(int thread, Meeting& meeting) {
    const long round = meeting.round;
    if (++meeting.arrived == meeting.threads) {
      meeting.arrived = 0;
      ++meeting.round;
    }
    Fiber& fiber = fibers_[static_cast<std::size_t>(thread)];
    fiber.waits_for = &meeting;
    fiber.waits_in_round = round;
    swapcontext(&fiber.context, &scheduler_);
    fiber.waits_for = nullptr;
  }

  int tile_size_;
  std::mt19937_64 random_;
  std::vector<Fiber> fibers_;
  std::vector<double> values_;
  Meeting block_;
  std::vector<Meeting> tiles_;
  ucontext_t scheduler_{};
  int current_ = 0;
  const std::function<void(const Group&)>* body_ = nullptr;
};

class EmulatedBlock::Group {
 public:
  Group(EmulatedBlock& block, int thread) : block_(block), thread_(thread) {}

  int thread() const { return thread_; }
  int threads() const { return static_cast<int>(block_.fibers_.size()); }
  int tile_size() const { return block_.tile_size_; }
  int rank() const { return thread_ % block_.tile_size_; }
  int tile() const { return thread_ / block_.tile_size_; }
  int tiles() const { return threads() / block_.tile_size_; }
  void barrier() const { block_.meet(thread_, block_.block_); }
  double shuffle_xor(double x, int offset) const {
    EmulatedBlock::Meeting& meeting = block_.tiles_[static_cast<std::size_t>(tile())];
    block_.values_[static_cast<std::size_t>(thread_)] = x;
    block_.meet(thread_, meeting);
    const double other = block_.values_[static_cast<std::size_t>(thread_ ^ offset)];
    block_.meet(thread_, meeting);
    return other;
  }
  double block_sum(double x) const {
    block_.values_[static_cast<std::size_t>(thread_)] = x;
    barrier();
    double sum = 0.0;
    for (const double value : block_.values_) sum += value;
    barrier();
    return sum;
  }

 private:
  EmulatedBlock& block_;
  int thread_;
};

inline void EmulatedBlock::start(unsigned low, unsigned high) {
  auto* block = reinterpret_cast<EmulatedBlock*>(static_cast<std::uintptr_t>(high) << 32 | low);
  const int thread = block->current_;
  (*block->body_)(Group(*block, thread));
  block->fibers_[static_cast<std::size_t>(thread)].is_finished = true;
}

inline void EmulatedBlock::run(const std::function<void(const Group&)>& body) {
  body_ = &body;
  const auto address = reinterpret_cast<std::uintptr_t>(this);
  for (Fiber& fiber : fibers_) {
    if (!fiber.stack) fiber.stack = std::make_unique<std::byte[]>(kStackSize);
    fiber.is_finished = false;
    fiber.waits_for = nullptr;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackSize;
    fiber.context.uc_link = &scheduler_;
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&EmulatedBlock::start), 2,
                static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
  }
  std::vector<int> order(fibers_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  for (bool has_run = true; has_run;) {
    has_run = false;
    std::shuffle(order.begin(), order.end(), random_);
    for (const int thread : order) {
      Fiber& fiber = fibers_[static_cast<std::size_t>(thread)];
      const bool waits = fiber.waits_for != nullptr && fiber.waits_for->round == fiber.waits_in_round;
      if (fiber.is_finished || waits) continue;
      has_run = true;
      current_ = thread;
      swapcontext(&scheduler_, &fiber.context);
    }
  }
  // Some threads of a block never reached a barrier that others wait at.
  if (std::any_of(fibers_.begin(), fibers_.end(), [](const Fiber& fiber) { return !fiber.is_finished; })) {
    throw std::logic_error("threads of a block wait for each other for ever");
  }
}

}  // namespace copse::testing
