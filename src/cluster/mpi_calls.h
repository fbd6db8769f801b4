// What all of this room does with MPI.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace copse {

// Throws DataError if a call of MPI has failed.
void check_mpi(int result);

// Waits for calls that are under way. MPI itself would ask without a pause, and take the core from the
// processes that it waits for where there are fewer cores than processes; whoever sleeps, learns of the end
// later. So it asks without a pause for a moment, which is longer where there is a core for everybody, and
// sleeps then for a small part of the time that it has waited already.
class MpiWait {
 public:
  explicit MpiWait(bool is_crowded) : is_crowded_(is_crowded) {}

  void all(std::span<MPI_Request> requests) const;
  void one(MPI_Request& request) const { all({&request, 1}); }
  // At least one of those that are under way; there must be such. Fills in which, as MPI_Testsome does.
  int some(std::span<MPI_Request> requests, std::vector<int>& done, std::vector<MPI_Status>& statuses) const;

 private:
  template <class IsDone>
  void until(const IsDone& is_done) const;

  bool is_crowded_;
};

}  // namespace copse
