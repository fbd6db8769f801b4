// Teams over MPI. This program runs under mpirun, with several numbers of processes; what every process finds
// wrong, it says, and the others see its status.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "cluster/mpi_session.h"
#include "cluster/sparse_numbers.h"
#include "parallel/team_values.h"

namespace copse {
namespace {

MpiSession* session = nullptr;
Team* current = nullptr;

std::int64_t ranks_added_up(const Team& team) { return std::int64_t{team.size()} * (team.size() - 1) / 2; }

// Numbers of a rank of which a share is not zero; every rank can find out those of the others.
std::vector<std::int64_t> random_numbers(int rank, std::size_t size, double share) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) + size);
  std::bernoulli_distribution is_there(share);
  std::vector<std::int64_t> numbers(size);
  for (std::int64_t& number : numbers) {
    if (is_there(random)) number = static_cast<std::int64_t>(random()) / 1000;
  }
  return numbers;
}

std::vector<std::int64_t> sums_of(const Team& team, std::size_t size, double share) {
  std::vector<std::int64_t> sums(size);
  for (int rank = 0; rank < team.size(); ++rank) {
    const std::vector<std::int64_t> numbers = random_numbers(rank, size, share);
    for (std::size_t k = 0; k < size; ++k) sums[k] += numbers[k];
  }
  return sums;
}

TEST(MpiTeam, AddsUp) {
  for (const std::size_t size : {0UL, 1UL, 1000UL, 1025UL, 200'000UL}) {
    for (const double share : {1.0, 0.01}) {
      std::vector<std::int64_t> numbers = random_numbers(current->rank(), size, share);
      current->add_up(numbers);
      EXPECT_EQ(numbers, sums_of(*current, size, share)) << size;
    }
  }
  EXPECT_EQ(current->sum(current->rank()), ranks_added_up(*current));
  EXPECT_TRUE(current->any(current->rank() == current->size() - 1));
  EXPECT_FALSE(current->any(false));
}

// Bounds with empty parts in the beginning, in the middle and at the end.
std::vector<std::vector<std::size_t>> kinds_of_bounds(std::size_t size) {
  const auto ranks = static_cast<std::size_t>(current->size());
  std::vector<std::vector<std::size_t>> kinds = {even_bounds(*current, size, 1),
                                                 even_bounds(*current, size, size / 2 + 1)};
  std::vector<std::size_t> bounds(ranks + 1, size);
  bounds[0] = 0;
  kinds.push_back(bounds);  // rank 0 has all
  std::fill(bounds.begin(), bounds.end() - 1, 0);
  kinds.push_back(bounds);  // the last one has
  return kinds;
}

TEST(MpiTeam, PartsAreAddedUpAndGathered) {
  for (const std::size_t size : {1UL, 9UL, 1000UL, 150'000UL}) {
    for (const double share : {1.0, 0.3, 0.01, 0.0}) {
      for (const std::vector<std::size_t>& bounds : kinds_of_bounds(size)) {
        std::vector<std::int64_t> numbers = random_numbers(current->rank(), size, share);
        current->add_up_parts(numbers, bounds);
        current->gather_parts(std::span(numbers), bounds);
        EXPECT_EQ(numbers, sums_of(*current, size, share)) << size << " " << share;
      }
    }
  }
}

TEST(MpiTeam, GathersNumbersOfAnyWidth) {
  std::vector<float> values(1001);
  const std::vector<std::size_t> bounds = even_bounds(*current, values.size(), 10);
  const auto own = static_cast<std::size_t>(current->rank());
  for (std::size_t k = bounds[own]; k < bounds[own + 1]; ++k) values[k] = static_cast<float>(k) / 3;
  current->gather_parts(std::span(values), bounds);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], static_cast<float>(k) / 3);
}

std::vector<std::byte> bytes_between(int from, int to, std::size_t scale) {
  return {scale * static_cast<std::size_t>(from * to), static_cast<std::byte>(16 * from + to)};
}

TEST(MpiTeam, ParcelsArrive) {
  for (const std::size_t scale : {1UL, 700'001UL}) {
    Team::Parcels parcels;
    for (int to = 0; to < current->size(); ++to) parcels.push_back(bytes_between(current->rank(), to, scale));
    const Team::Parcels received = current->exchange(parcels);
    const Team::Parcels gathered = current->gather(bytes_between(current->rank(), 1, scale));
    ASSERT_EQ(received.size(), parcels.size());
    ASSERT_EQ(gathered.size(), parcels.size());
    for (int from = 0; from < current->size(); ++from) {
      const auto place = static_cast<std::size_t>(from);
      EXPECT_TRUE(received[place] == bytes_between(from, current->rank(), scale)) << from;
      EXPECT_TRUE(gathered[place] == bytes_between(from, 1, scale)) << from;
    }
  }
}

TEST(MpiTeam, SharesWhatRankZeroHas) {
  for (const std::size_t size : {0UL, 5UL, 3'000'001UL}) {
    std::vector<std::byte> expected(size);
    for (std::size_t k = 0; k < size; ++k) expected[k] = static_cast<std::byte>(k * k);
    std::vector<std::byte> shared(current->leads() ? size : 17);
    if (current->leads()) shared = expected;
    current->share(shared);
    EXPECT_TRUE(shared == expected) << size;
  }
}

// Calls of different kinds, one right after the other, while ranks are late by turns.
TEST(MpiTeam, CallsDoNotGetMixedUp) {
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> numbers(100, round);
    const std::vector<std::size_t> bounds = even_bounds(*current, numbers.size(), 7);
    current->add_up_parts(numbers, bounds);
    current->gather_parts(std::span(numbers), bounds);
    ASSERT_EQ(numbers, std::vector<std::int64_t>(100, std::int64_t{round} * current->size()));
    const std::vector<int> ranks = gather_values(*current, std::span<const int>({current->rank()}));
    ASSERT_EQ(ranks.back(), current->size() - 1);
  }
}

TEST(MpiTeam, SparseNumbersAreFewerBytes) {
  if (current->is_alone()) return;
  const auto bytes_for = [](double share) {
    std::vector<std::int64_t> numbers = random_numbers(current->rank(), 400'000, share);
    const std::int64_t before = current->traffic().bytes;
    current->add_up_parts(numbers, even_bounds(*current, numbers.size(), 1));
    return current->traffic().bytes - before;
  };
  const std::int64_t dense = bytes_for(1.0);
  const std::vector<std::size_t> bounds = even_bounds(*current, 400'000, 1);
  const auto own = static_cast<std::size_t>(current->rank());
  EXPECT_EQ(dense, static_cast<std::int64_t>(8 * (400'000 - (bounds[own + 1] - bounds[own]))));
  EXPECT_LT(bytes_for(0.05), dense / 10);
  EXPECT_EQ(bytes_for(0.6), dense);
}

// Everybody works, rank 0 too, and each task is done once.
TEST(MpiDealer, DealsOutEachTaskOnce) {
  if (current->is_alone()) return;
  for (const std::size_t tasks : {0UL, 1UL, 100UL}) {
    const auto dealer = session->make_dealer(tasks);
    std::vector<std::int64_t> done(tasks);
    std::int64_t own = 0;
    while (const auto task = dealer->next()) {
      ASSERT_LT(*task, tasks);
      ++done[*task];
      ++own;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // at work, without a call of MPI
    }
    EXPECT_FALSE(dealer->next());
    current->add_up(done);
    EXPECT_EQ(done, std::vector<std::int64_t>(tasks, 1));
    EXPECT_GE(own, tasks == 100 ? 1 : 0);
  }
}

TEST(SparseNumbers, AreTheSameAfterwards) {
  for (const std::size_t size : {1UL, 63UL, 64UL, 65UL, 1000UL}) {
    for (const double share : {0.0, 0.02, 0.2}) {
      const std::vector<std::int64_t> numbers = random_numbers(1, size, share);
      std::vector<std::byte> bytes;
      if (!pack_sparse(numbers, bytes)) continue;
      std::vector<std::int64_t> sums = random_numbers(2, size, 1.0);
      std::vector<std::int64_t> expected = sums;
      for (std::size_t k = 0; k < size; ++k) expected[k] += numbers[k];
      EXPECT_TRUE(add_sparse(bytes, sums));
      EXPECT_EQ(sums, expected);
      bytes.pop_back();
      EXPECT_FALSE(add_sparse(bytes, sums));
    }
  }
  std::vector<std::byte> bytes;
  EXPECT_FALSE(pack_sparse(random_numbers(1, 1000, 0.5), bytes));
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  copse::MpiSession session(copse::MpiSession::Callers::all_threads);
  copse::session = &session;
  copse::current = &session.team();
  if (!session.team().leads()) {  // one report is enough, but failures are seen
    testing::GTEST_FLAG(brief) = true;
  }
  const int status = RUN_ALL_TESTS();
  session.end();
  return status;
}
