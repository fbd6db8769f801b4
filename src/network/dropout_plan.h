#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/network_shape.h"
#include "network/random.h"
#include "network/sequences.h"

namespace copse {

// The input of a word consists of groups of columns: its form (what is learnt of it, plus what given vectors
// say), its spelling, and its tags.
inline constexpr std::size_t kInputGroups = 3;
std::array<Columns, kInputGroups> input_groups(const NetworkShape& shape);

// A factor for each group of columns of a row of inputs: 0 with the probability `rate`, the others more than
// 1 then. There are kInputGroups for each row, of which the first `groups` are used.
void draw_group_factors(std::size_t groups, float rate, Random& random, std::span<float> factors);

// A place where columns are dropped, the same ones for all rows of a sequence (Gal and Ghahramani 2016).
struct DropoutSite {
  float rate = 0.0F;
  std::size_t columns = 0;
  // By sequence: column k is dropped where Random::uniform_at(state, k) is below the rate. Empty: nothing is.
  std::span<const std::uint64_t> states;
};

// What is left out of a network's numbers in training, and which random numbers decide that: the same on all
// back ends, whatever order they draw in.
class DropoutPlan {
 public:
  // For a batch of sequences. At the input, groups of columns are left out word by word; then columns of the
  // input, of the output of each layer, and of the roles, if the network has any.
  void draw(const NetworkShape& shape, const Sequences& sequences, float rate, Random& random);
  // The same for words that have factors of their own, by row: nothing else is left out at the input.
  void draw(const NetworkShape& shape, const Sequences& sequences, float rate, Random& random,
            std::span<const float> word_factors);

  // Nothing is left out, of no sequences: to be appended to.
  void clear();
  // A sequence of another plan for the same network, with its rows.
  void append(const DropoutPlan& from, std::size_t sequence, std::size_t first_row, std::size_t rows);

  // [row][group of columns]: what these are multiplied by at the input; empty: nothing.
  std::span<const float> group_factors() const { return group_factors_; }
  // After that.
  DropoutSite input() const { return site(0); }
  DropoutSite layer(std::size_t number) const { return site(number + 1); }
  DropoutSite roles() const { return site(sites_.size() - 1); }

 private:
  struct Site {
    std::size_t columns = 0;
    std::vector<std::uint64_t> states;
  };
  void assign_sites(const NetworkShape& shape);
  void draw_from(std::size_t first_site, const Sequences& sequences, Random& random);
  DropoutSite site(std::size_t number) const {
    if (number >= sites_.size()) return {};
    return {rate_, sites_[number].columns, sites_[number].states};
  }

  float rate_ = 0.0F;
  std::vector<float> group_factors_;
  std::vector<Site> sites_;  // the input, layers, roles; none: nothing is dropped
};

}  // namespace copse
