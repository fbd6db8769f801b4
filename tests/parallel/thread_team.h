// A team whose processes are threads of this one: what is divided among processes can be tested without
// starting any.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/team.h"

namespace copse {

// Where the threads of a team meet.
class TeamTable {
 public:
  explicit TeamTable(int size) : parcels_(static_cast<std::size_t>(size)) {}

  // Every rank puts parcels on the table, one for each rank, and takes those that are for it.
  Team::Parcels exchange(int rank, Team::Parcels parcels) {
    parcels_[static_cast<std::size_t>(rank)] = std::move(parcels);
    meet();
    Team::Parcels own;
    for (const Team::Parcels& from : parcels_) own.push_back(from[static_cast<std::size_t>(rank)]);
    meet();
    return own;
  }

  // After a failure, nobody waits any more.
  void fail(std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    met_.notify_all();
  }
  std::exception_ptr failure() const { return failure_; }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    const long meeting = meetings_;
    if (++present_ == parcels_.size()) {
      present_ = 0;
      ++meetings_;
      met_.notify_all();
    }
    met_.wait(lock, [&] { return meetings_ != meeting || failure_; });
    if (failure_) throw std::runtime_error("another process of the team has failed");
  }

  std::mutex mutex_;
  std::condition_variable met_;
  std::size_t present_ = 0;
  long meetings_ = 0;
  std::exception_ptr failure_;
  std::vector<Team::Parcels> parcels_;  // by sender
};

class ThreadTeam : public Team {
 public:
  ThreadTeam(int rank, int size, TeamTable& table) : Team(rank, size, size), table_(&table) {}

 private:
  void do_add_up(std::span<std::int64_t> numbers) override {
    const std::vector<std::int64_t> own(numbers.begin(), numbers.end());
    std::fill(numbers.begin(), numbers.end(), 0);
    for (const std::vector<std::byte>& parcel : do_gather(std::as_bytes(std::span(own)))) {
      if (parcel.size() != numbers.size_bytes()) throw std::logic_error("sums of different lengths");
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        std::int64_t number = 0;
        std::memcpy(&number, parcel.data() + k * sizeof(number), sizeof(number));
        numbers[k] += number;
      }
    }
  }

  // Leaves rubbish outside of the own part, as real teams do.
  void do_add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds) override {
    do_add_up(numbers);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto own = static_cast<std::size_t>(rank());
      if (k < bounds[own] || k >= bounds[own + 1]) numbers[k] = -1;
    }
  }

  void do_gather_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds) override {
    const auto own = static_cast<std::size_t>(rank());
    const Parcels parts = do_gather(bytes.subspan(bounds[own], bounds[own + 1] - bounds[own]));
    for (std::size_t r = 0; r < parts.size(); ++r) {
      if (parts[r].size() != bounds[r + 1] - bounds[r]) throw std::logic_error("parts of different lengths");
      std::copy(parts[r].begin(), parts[r].end(), bytes.begin() + static_cast<std::ptrdiff_t>(bounds[r]));
    }
  }

  Parcels do_gather(std::span<const std::byte> bytes) override {
    return do_exchange(Parcels(static_cast<std::size_t>(size()), {bytes.begin(), bytes.end()}));
  }
  Parcels do_exchange(Parcels parcels) override {
    for (std::size_t to = 0; to < parcels.size(); ++to) {
      if (to != static_cast<std::size_t>(rank())) count_sent(parcels[to].size());
    }
    return table_->exchange(rank(), std::move(parcels));
  }
  void do_share(std::vector<std::byte>& bytes) override { bytes = do_gather(bytes)[0]; }

  TeamTable* table_;
};

// Calls work(team) for every rank, each on a thread of its own. The first exception is thrown on.
inline void run_team(int size, const std::function<void(Team&)>& work) {
  if (size == 1) return work(Team::alone());
  TeamTable table(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadTeam team(rank, size, table);
        work(team);
      } catch (...) {
        table.fail(std::current_exception());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (table.failure()) std::rethrow_exception(table.failure());
}

}  // namespace copse
