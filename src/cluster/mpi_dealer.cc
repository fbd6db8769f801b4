#include "cluster/mpi_dealer.h"

#include <algorithm>
#include <chrono>

#include "cluster/mpi_calls.h"
#include "copse/error.h"

namespace copse {
namespace {

enum Tag : int { kQuestion, kAnswer };

// How late an answer may be: nothing beside a task.
constexpr std::chrono::milliseconds kPause(1);

}  // namespace

MpiDealer::MpiDealer(MPI_Comm communicator, MpiTeam& team, std::size_t tasks)
    : communicator_(communicator), team_(team), tasks_(tasks) {
  // Nobody asks before rank 0 is here: the dealer before this one would answer.
  team_.meet();
  if (!team_.leads()) return;
  server_ = std::thread([this] {
    try {
      serve();
    } catch (const std::exception&) {
      has_failed_ = true;
    }
  });
}

MpiDealer::~MpiDealer() {
  // If this process has failed in one of its tasks, the others must not go on until all are done.
  gives_up_ = !is_finished_;
  if (server_.joinable()) server_.join();
}

// Until every other process knows that there is nothing left.
void MpiDealer::serve() {
  for (int at_work = team_.size() - 1; at_work > 0 && !gives_up_;) {
    int has_question = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kQuestion, communicator_, &has_question, &status));
    if (has_question == 0) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    check_mpi(MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, kQuestion, communicator_, MPI_STATUS_IGNORE));
    const std::uint64_t task = std::min(next_.fetch_add(1), tasks_);
    if (task == tasks_) --at_work;
    check_mpi(MPI_Send(&task, 1, MPI_UINT64_T, status.MPI_SOURCE, kAnswer, communicator_));
  }
}

std::optional<std::size_t> MpiDealer::next() {
  if (is_finished_) return std::nullopt;
  std::uint64_t task = tasks_;
  if (team_.leads()) {
    if (has_failed_) throw DataError("the other processes cannot be reached any more");
    task = std::min(next_.fetch_add(1), tasks_);
  } else {
    check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, 0, kQuestion, communicator_));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(&task, 1, MPI_UINT64_T, 0, kAnswer, communicator_, &request));
    MpiWait(true).one(request);
  }
  is_finished_ = task == tasks_;
  return is_finished_ ? std::nullopt : std::optional<std::size_t>(task);
}

}  // namespace copse
