#pragma once

#include <cstddef>
#include <memory>

#include "parallel/task_dealer.h"
#include "parallel/team.h"

namespace copse {

// What MPI is to a program: the processes that mpirun or srun has started together. Made once in a program,
// and ended once, either way.
class MpiSession {
 public:
  // Who calls MPI: the thread that this is made in, or others, too.
  enum class Callers { one_thread, all_threads };

  // Throws DataError if the processes do not find each other.
  explicit MpiSession(Callers callers);
  ~MpiSession();  // does not end it
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  Team& team();

  // Deals out tasks to all processes, while each of them is at work. Needs all_threads. To make one and to
  // end one is collective; one at a time.
  std::unique_ptr<TaskDealer> make_dealer(std::size_t tasks);

  // Waits until all processes have come so far, and ends it.
  void end();
  // Ends all processes; the launcher ends with this status.
  [[noreturn]] void abort(int status);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace copse
