#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "cluster/mpi_team.h"
#include "parallel/task_dealer.h"

namespace copse {

// The dealer sits in rank 0, on a thread of its own, which sleeps nearly always: rank 0 has tasks to do, too,
// and the others must not wait until it has done one.
class MpiDealer : public TaskDealer {
 public:
  // Borrows both; in the communicator, nobody else may send anything.
  MpiDealer(MPI_Comm communicator, MpiTeam& team, std::size_t tasks);
  ~MpiDealer() override;

  std::optional<std::size_t> next() override;

 private:
  void serve();

  MPI_Comm communicator_;
  MpiTeam& team_;
  std::size_t tasks_;
  std::atomic<std::size_t> next_ = 0;     // of rank 0
  std::atomic<bool> has_failed_ = false;  // the server
  std::atomic<bool> gives_up_ = false;
  bool is_finished_ = false;
  std::thread server_;
};

}  // namespace copse
