#pragma once

#include <mpi.h>

#include "cluster/mpi_calls.h"
#include "parallel/team.h"

namespace copse {

// The processes of a communicator. All calls of MPI are made by the thread that calls the team.
//
// Long vectors go in pieces, from each process to each other, so that nobody needs a second copy of one, and
// no count is above what an int holds.
class MpiTeam : public Team {
 public:
  // Borrows the communicator, in which nobody else may send anything.
  MpiTeam(MPI_Comm communicator, int rank, int size, int processes_here, bool is_crowded)
      : Team(rank, size, processes_here), communicator_(communicator), wait_(is_crowded) {}

  // Returns when all have called it.
  void meet();

 private:
  struct Piece;
  class Traffic;

  void do_add_up(std::span<std::int64_t> numbers) override;
  void do_add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds) override;
  void do_gather_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds) override;
  Parcels do_gather(std::span<const std::byte> bytes) override;
  Parcels do_exchange(Parcels parcels) override;
  void do_share(std::vector<std::byte>& bytes) override;

  // The rank that is so many after this one, in a circle.
  int neighbour(int distance) const { return ((rank() + distance) % size() + size()) % size(); }
  void transfer(std::vector<Piece> out, std::vector<Piece> in);

  MPI_Comm communicator_;
  MpiWait wait_;
};

}  // namespace copse
