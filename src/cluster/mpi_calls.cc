#include "cluster/mpi_calls.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "copse/error.h"

namespace copse {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr microseconds kAlertTime(2000);
constexpr microseconds kCrowdedAlertTime(100);
constexpr microseconds kLongestSleep(1000);
constexpr int kShareOfSleep = 16;

}  // namespace

void check_mpi(int result) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw DataError("the processes cannot reach each other any more: " +
                  std::string(text.data(), static_cast<std::size_t>(length)) +
                  "; if one of them or its machine has failed, start the run again, and resume it");
}

template <class IsDone>
void MpiWait::until(const IsDone& is_done) const {
  if (is_done()) return;
  const Clock::time_point start = Clock::now();
  while (!is_done()) {
    const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - start);
    if (waited > (is_crowded_ ? kCrowdedAlertTime : kAlertTime)) {
      std::this_thread::sleep_for(std::min(waited / kShareOfSleep, kLongestSleep));
    } else if (is_crowded_) {
      ::sched_yield();
    }
  }
}

void MpiWait::all(std::span<MPI_Request> requests) const {
  until([requests] {
    int is_done = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE));
    return is_done != 0;
  });
}

int MpiWait::some(std::span<MPI_Request> requests, std::vector<int>& done,
                  std::vector<MPI_Status>& statuses) const {
  done.resize(requests.size());
  statuses.resize(requests.size());
  int count = 0;
  until([&] {
    check_mpi(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, done.data(),
                           statuses.data()));
    return count != 0;  // MPI_UNDEFINED, which is not 0, if nothing is under way
  });
  return count;
}

}  // namespace copse
