#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace copse {

// A fixed number of threads that work through the indices 0..count-1 of a loop, each taking the next index
// when it is free: put expensive work first. The calling thread is worker 0 and takes part.
//
// Which worker gets which index is chance. Results that must not depend on it belong to the index, or are
// sums whose order does not matter (integers).
class TaskPool {
 public:
  // At least 1; with 1 there are no other threads at all.
  explicit TaskPool(int threads);
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  int threads() const { return threads_; }

  // Calls work(index, worker) for every index and returns when all are done. If calls throw, no new ones
  // start, and the exception of the lowest index that threw is rethrown here. One loop at a time; `work` must
  // not start another on the same pool.
  void for_each(std::size_t count, const std::function<void(std::size_t index, int worker)>& work);

  // The number of threads to use when nobody says: the machine's cores.
  static int default_threads();

 private:
  struct Shared;
  void join() noexcept;

  int threads_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace copse
