#include "network/distinct_spellings.h"

#include <algorithm>
#include <numeric>

namespace copse {

void DistinctSpellings::assign(const WordInputs& inputs) {
  const auto spelling = [&](std::size_t row) {
    return std::span(inputs.characters)
        .subspan(inputs.character_begins[row],
                 inputs.character_begins[row + 1] - inputs.character_begins[row]);
  };
  order_.resize(inputs.rows());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const auto one = spelling(a);
    const auto other = spelling(b);
    if (one.size() != other.size()) return one.size() > other.size();
    return std::ranges::lexicographical_compare(one, other);
  });
  sequences_.clear();
  characters_.clear();
  numbers_.resize(inputs.rows());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const auto own = spelling(order_[k]);
    if (k == 0 || !std::ranges::equal(own, spelling(order_[k - 1]))) {
      sequences_.add(own.size());
      characters_.insert(characters_.end(), own.begin(), own.end());
    }
    numbers_[order_[k]] = sequences_.count() - 1;
  }
}

}  // namespace copse
