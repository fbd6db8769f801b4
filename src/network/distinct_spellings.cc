#include "network/distinct_spellings.h"

#include <algorithm>
#include <compare>
#include <numeric>

namespace copse {

void DistinctSpellings::assign(const WordInputs& inputs) {
  const auto spelling = [&](std::uint32_t row) {
    return std::span(inputs.characters)
        .subspan(inputs.character_begins[row],
                 inputs.character_begins[row + 1] - inputs.character_begins[row]);
  };
  rows_.resize(inputs.rows());
  std::iota(rows_.begin(), rows_.end(), 0);
  std::sort(rows_.begin(), rows_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto one = spelling(a);
    const auto other = spelling(b);
    if (one.size() != other.size()) return one.size() > other.size();
    const auto order =
        std::lexicographical_compare_three_way(one.begin(), one.end(), other.begin(), other.end());
    return std::is_eq(order) ? a < b : std::is_lt(order);
  });
  sequences_.clear();
  characters_.clear();
  row_begins_.clear();
  numbers_.resize(inputs.rows());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto own = spelling(rows_[k]);
    if (k == 0 || !std::ranges::equal(own, spelling(rows_[k - 1]))) {
      sequences_.add(own.size());
      characters_.insert(characters_.end(), own.begin(), own.end());
      row_begins_.push_back(static_cast<std::uint32_t>(k));
    }
    numbers_[rows_[k]] = static_cast<std::uint32_t>(sequences_.count() - 1);
  }
  row_begins_.push_back(static_cast<std::uint32_t>(rows_.size()));
}

}  // namespace copse
