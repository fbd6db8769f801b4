#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "parallel/team.h"

namespace copse {

// A fixed number of threads that work through the indices 0..count-1 of a loop, each taking the next index
// when it is free: put expensive work first. The calling thread is worker 0 and takes part.
//
// Which worker gets which index is chance. Results that must not depend on it belong to the index, or are
// sums whose order does not matter (integers).
//
// The process may be one of a team, each with a pool of its own: work that is divided among them says so, and
// asks for the team here.
class TaskPool {
 public:
  // At least 1; with 1 there are no other threads at all. Borrows the team.
  explicit TaskPool(int threads, Team& team = Team::alone());
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  int threads() const { return threads_; }
  Team& team() const { return *team_; }

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
  Team* team_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace copse
