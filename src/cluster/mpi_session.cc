#include "cluster/mpi_session.h"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "cluster/mpi_dealer.h"
#include "cluster/mpi_team.h"
#include "copse/error.h"

namespace copse {
namespace {

// How long the end may take. A process that is killed when the others have begun to finalize MPI is missed by
// nobody: Open MPI then waits for it for ever.
constexpr unsigned kLongestEnd = 10;  // seconds

MPI_Comm duplicate_world() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm communicator = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &communicator));
  return communicator;
}

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank));
  return rank;
}

int size_of(MPI_Comm communicator) {
  int size = 0;
  check_mpi(MPI_Comm_size(communicator, &size));
  return size;
}

int count_processes_here(MPI_Comm communicator) {
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here));
  const int size = size_of(here);
  check_mpi(MPI_Comm_free(&here));
  return size;
}

// Whether there are fewer cores than processes on this machine.
bool is_crowded(int processes_here) { return ::sysconf(_SC_NPROCESSORS_ONLN) < processes_here; }

void start_mpi(MpiSession::Callers callers) {
  const int needed = callers == MpiSession::Callers::all_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, needed, &provided));
  if (provided < needed) throw DataError("this MPI cannot be called by programs with several threads");
}

}  // namespace

struct MpiSession::State {
  explicit State(MPI_Comm all) : State(all, count_processes_here(all)) {}
  State(MPI_Comm all, int here)
      : communicator(all), team(all, rank_in(all), size_of(all), here, is_crowded(here)) {}

  MPI_Comm communicator;
  MpiTeam team;
  MPI_Comm dealing = MPI_COMM_NULL;  // what dealers say is not mixed up with what the team says
};

MpiSession::MpiSession(Callers callers) {
  start_mpi(callers);
  state_ = std::make_unique<State>(duplicate_world());
  if (callers == Callers::all_threads) state_->dealing = duplicate_world();
}

MpiSession::~MpiSession() = default;

Team& MpiSession::team() { return state_->team; }

std::unique_ptr<TaskDealer> MpiSession::make_dealer(std::size_t tasks) {
  if (state_->dealing == MPI_COMM_NULL) throw std::logic_error("dealers need MPI for all threads");
  return std::make_unique<MpiDealer>(state_->dealing, state_->team, tasks);
}

void MpiSession::end() {
  state_->team.meet();
  if (state_->dealing != MPI_COMM_NULL) check_mpi(MPI_Comm_free(&state_->dealing));
  check_mpi(MPI_Comm_free(&state_->communicator));
  ::alarm(kLongestEnd);  // SIGALRM ends the process; mpirun then reports that
  check_mpi(MPI_Finalize());
  ::alarm(0);
}

void MpiSession::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

}  // namespace copse
