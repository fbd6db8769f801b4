// What processes of a team bring together that is not numbers alone.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parallel/team.h"

namespace copse {

// All processes' values, by rank.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather_values(Team& team, std::span<const T> own) {
  std::vector<T> all;
  for (const std::vector<std::byte>& parcel : team.gather(std::as_bytes(own))) {
    const std::size_t before = all.size();
    all.resize(before + parcel.size() / sizeof(T));
    if (!parcel.empty()) std::memcpy(all.data() + before, parcel.data(), parcel.size());
  }
  return all;
}

// Of things with different numbers, in the order of these: where this process's own ones are among those of
// all processes. `own` is in ascending order.
struct Places {
  std::vector<std::size_t> own;
  std::size_t all = 0;
};
Places find_places(Team& team, std::span<const std::uint64_t> own);

// Adds up counts of texts: afterwards everybody has all texts, with the sums of all processes.
void add_up(Team& team, std::map<std::string, std::int64_t>& counts);

// The texts of all processes, by rank.
std::vector<std::vector<std::string>> gather_texts(Team& team, std::span<const std::string> own);

}  // namespace copse
