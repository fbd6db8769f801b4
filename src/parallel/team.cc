#include "parallel/team.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace copse {
namespace {

// All its calls return before they get here.
class TeamOfOne : public Team {
 public:
  TeamOfOne() : Team(0, 1, 1) {}

 private:
  [[noreturn]] static void fail() { throw std::logic_error("a team of one has nobody to talk to"); }
  void do_add_up(std::span<std::int64_t>) override { fail(); }
  void do_add_up_parts(std::span<std::int64_t>, std::span<const std::size_t>) override { fail(); }
  void do_gather_parts(std::span<std::byte>, std::span<const std::size_t>) override { fail(); }
  Parcels do_gather(std::span<const std::byte>) override { fail(); }
  Parcels do_exchange(Parcels) override { fail(); }
  void do_share(std::vector<std::byte>&) override { fail(); }
};

}  // namespace

// Adds the time that it lives.
class Team::Clock {
 public:
  explicit Clock(TeamTraffic& traffic) : traffic_(traffic) {}
  ~Clock() {
    traffic_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

 private:
  TeamTraffic& traffic_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Team& Team::alone() {
  static TeamOfOne team;
  return team;
}

void Team::add_up(std::span<std::int64_t> numbers) {
  if (is_alone()) return;
  const Clock clock(traffic_);
  do_add_up(numbers);
}

std::int64_t Team::sum(std::int64_t number) {
  add_up({&number, 1});
  return number;
}

void Team::add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds) {
  if (is_alone()) return;
  const Clock clock(traffic_);
  do_add_up_parts(numbers, bounds);
}

void Team::gather_byte_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds,
                             std::size_t width) {
  if (is_alone()) return;
  std::vector<std::size_t> in_bytes(bounds.begin(), bounds.end());
  for (std::size_t& bound : in_bytes) bound *= width;
  const Clock clock(traffic_);
  do_gather_parts(bytes, in_bytes);
}

Team::Parcels Team::gather(std::span<const std::byte> bytes) {
  if (is_alone()) return {{bytes.begin(), bytes.end()}};
  const Clock clock(traffic_);
  return do_gather(bytes);
}

Team::Parcels Team::exchange(Parcels parcels) {
  if (is_alone()) return parcels;
  const Clock clock(traffic_);
  return do_exchange(std::move(parcels));
}

void Team::share(std::vector<std::byte>& bytes) {
  if (is_alone()) return;
  const Clock clock(traffic_);
  do_share(bytes);
}

std::vector<std::size_t> even_bounds(const Team& team, std::size_t size, std::size_t chunk) {
  const std::size_t chunks = (size + chunk - 1) / chunk;
  const auto parts = static_cast<std::size_t>(team.size());
  std::vector<std::size_t> bounds;
  bounds.reserve(parts + 1);
  for (std::size_t part = 0; part <= parts; ++part) {
    bounds.push_back(std::min(size, chunks * part / parts * chunk));
  }
  return bounds;
}

}  // namespace copse
