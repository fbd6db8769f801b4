// Teams of threads, which the tests of all that is divided among processes rely on, and what is the same for
// every kind of team.
#include <gtest/gtest.h>

#include <numeric>

#include "parallel/team_values.h"
#include "parallel/thread_team.h"

namespace copse {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

class Teams : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Teams, ::testing::Values(1, 2, 3, 7));

TEST_P(Teams, AddUp) {
  run_team(GetParam(), [](Team& team) {
    std::vector<std::int64_t> numbers(100);
    std::iota(numbers.begin(), numbers.end(), team.rank());
    team.add_up(numbers);
    const std::int64_t ranks = std::int64_t{team.size()} * (team.size() - 1) / 2;
    for (int k = 0; k < 100; ++k) EXPECT_EQ(numbers[static_cast<std::size_t>(k)], k * team.size() + ranks);
    EXPECT_EQ(team.sum(team.rank()), ranks);
    EXPECT_TRUE(team.any(team.rank() == 0));
    EXPECT_FALSE(team.any(false));
  });
}

TEST_P(Teams, PartsAreAddedUpAndGathered) {
  run_team(GetParam(), [](Team& team) {
    for (const std::size_t size : {0UL, 1UL, 9UL, 10UL, 101UL}) {
      const std::vector<std::size_t> bounds = even_bounds(team, size, 10);
      ASSERT_EQ(bounds.size(), static_cast<std::size_t>(team.size()) + 1);
      EXPECT_EQ(bounds.front(), 0U);
      EXPECT_EQ(bounds.back(), size);
      std::vector<std::int64_t> numbers(size);
      std::iota(numbers.begin(), numbers.end(), 0);
      team.add_up_parts(numbers, bounds);
      team.gather_parts(std::span(numbers), bounds);
      for (std::size_t k = 0; k < size; ++k) {
        EXPECT_EQ(numbers[k], static_cast<std::int64_t>(k) * team.size());
      }
    }
  });
}

TEST_P(Teams, ParcelsArrive) {
  run_team(GetParam(), [](Team& team) {
    Team::Parcels parcels;
    for (int to = 0; to < team.size(); ++to) {
      parcels.push_back(
          bytes_of(std::string(static_cast<std::size_t>(to), static_cast<char>('a' + team.rank()))));
    }
    const Team::Parcels got = team.exchange(std::move(parcels));
    ASSERT_EQ(got.size(), static_cast<std::size_t>(team.size()));
    for (int from = 0; from < team.size(); ++from) {
      EXPECT_EQ(got[static_cast<std::size_t>(from)],
                bytes_of(std::string(static_cast<std::size_t>(team.rank()), static_cast<char>('a' + from))));
    }
    std::vector<std::byte> shared = bytes_of(team.leads() ? "from the leader" : "mine");
    team.share(shared);
    EXPECT_EQ(shared, bytes_of("from the leader"));
  });
}

TEST_P(Teams, CountsOfTexts) {
  run_team(GetParam(), [](Team& team) {
    std::map<std::string, std::int64_t> counts = {{"", 1}, {"of " + std::to_string(team.rank()), 5}};
    add_up(team, counts);
    EXPECT_EQ(counts.size(), 1 + static_cast<std::size_t>(team.size()));
    EXPECT_EQ(counts[""], team.size());
    const std::vector<std::string> own(static_cast<std::size_t>(team.rank()), "x");
    const auto all = gather_texts(team, own);
    for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(all[rank].size(), rank);
  });
}

TEST_P(Teams, PlacesOfWhatIsDealtOut) {
  run_team(GetParam(), [](Team& team) {
    std::vector<std::uint64_t> own;
    for (std::uint64_t number = 0; number < 50; ++number) {
      if (is_own(team, number) && number % 3 != 0) own.push_back(number);
    }
    const Places places = find_places(team, own);
    EXPECT_EQ(places.all, 33U);
    for (std::size_t k = 0; k < own.size(); ++k) EXPECT_EQ(places.own[k], own[k] - own[k] / 3 - 1);
    EXPECT_TRUE(is_own(team, number_of_own(team, 4)));
  });
}

TEST_P(Teams, TrafficIsCounted) {
  run_team(GetParam(), [](Team& team) {
    std::vector<std::int64_t> numbers(1000);
    team.add_up(numbers);
    EXPECT_EQ(team.traffic().bytes > 0, !team.is_alone());
  });
}

TEST(ThreadTeam, FailuresEndAll) {
  EXPECT_THROW(run_team(3,
                        [](Team& team) {
                          if (team.rank() == 1) throw std::invalid_argument("on purpose");
                          team.sum(1);
                        }),
               std::invalid_argument);
}

}  // namespace
}  // namespace copse
