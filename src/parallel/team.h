#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace copse {

// What the processes of a team have said to each other.
struct TeamTraffic {
  std::int64_t bytes = 0;  // that this process sent
  double seconds = 0.0;    // that it spent in calls: on the way, and waiting for the others
};

// Processes that work on one task, each on its own share of the data. A process is a rank, 0 to size - 1; a
// program that runs by itself is a team of one, for which all calls do nothing and cost nothing.
//
// All calls are collective: every process makes the same ones, in the same order, from one thread. Whatever
// the processes know together is the same in all of them afterwards, bit by bit. A process that fails does
// not return from here: whoever made the team ends all of them.
class Team {
 public:
  // The team of one, shared by everybody.
  static Team& alone();

  virtual ~Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_alone() const { return size_ == 1; }
  bool leads() const { return rank_ == 0; }  // the process that writes files
  // How many of the processes share this machine.
  int processes_here() const { return processes_here_; }

  // Sums over all processes, number by number.
  void add_up(std::span<std::int64_t> numbers);
  std::int64_t sum(std::int64_t number);
  bool any(bool is_true) { return sum(is_true ? 1 : 0) > 0; }

  // Of vectors that are divided among the processes: rank r has what lies from bounds[r] to bounds[r + 1].
  // add_up_parts() leaves the sums of this process's part there, and anything in the others; gather_parts()
  // fills in the parts of the others.
  void add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds);
  template <class T>
  void gather_parts(std::span<T> values, std::span<const std::size_t> bounds) {
    gather_byte_parts(std::as_writable_bytes(values), bounds, sizeof(T));
  }

  // Bytes of any length from every process, by rank.
  using Parcels = std::vector<std::vector<std::byte>>;
  Parcels gather(std::span<const std::byte> bytes);
  // The r-th parcel goes to rank r; comes back with one from each rank.
  Parcels exchange(Parcels parcels);
  // Everybody gets what rank 0 has.
  void share(std::vector<std::byte>& bytes);

  const TeamTraffic& traffic() const { return traffic_; }

 protected:
  Team(int rank, int size, int processes_here) : rank_(rank), size_(size), processes_here_(processes_here) {}

  // Every call says what this process sends in it.
  void count_sent(std::size_t bytes) { traffic_.bytes += static_cast<std::int64_t>(bytes); }

 private:
  class Clock;
  void gather_byte_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds, std::size_t width);

  // Never called in a team of one.
  virtual void do_add_up(std::span<std::int64_t> numbers) = 0;
  virtual void do_add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds) = 0;
  // Bounds in bytes.
  virtual void do_gather_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds) = 0;
  virtual Parcels do_gather(std::span<const std::byte> bytes) = 0;
  virtual Parcels do_exchange(Parcels parcels) = 0;
  virtual void do_share(std::vector<std::byte>& bytes) = 0;

  int rank_;
  int size_;
  int processes_here_;
  TeamTraffic traffic_;
};

// Sentences of files, and other things in an order, are dealt out to the processes in turn: the k-th that a
// process has is this one of all.
inline std::size_t number_of_own(const Team& team, std::size_t k) {
  return k * static_cast<std::size_t>(team.size()) + static_cast<std::size_t>(team.rank());
}
// Whether the thing with this number is this process's.
inline bool is_own(const Team& team, std::size_t number) {
  return number % static_cast<std::size_t>(team.size()) == static_cast<std::size_t>(team.rank());
}

// Where the parts of a vector begin that is divided into whole chunks as evenly as possible: size + 1 bounds.
std::vector<std::size_t> even_bounds(const Team& team, std::size_t size, std::size_t chunk);

}  // namespace copse
