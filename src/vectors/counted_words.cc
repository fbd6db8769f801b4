#include "vectors/counted_words.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "copse/error.h"

namespace copse {

std::optional<std::uint32_t> CountedWords::add_known(std::string_view word, std::uint64_t times) {
  const std::optional<std::uint32_t> place = table_.find(texts_, word);
  if (!place) return std::nullopt;
  counts_[*place] += times;
  return ids_[*place];
}

std::uint32_t CountedWords::add(std::string_view word, std::uint64_t times) {
  if (const std::optional<std::uint32_t> id = add_known(word, times)) return *id;
  if (table_.size() >= most_) forget_rare();
  if (next_id_ == std::numeric_limits<std::uint32_t>::max()) {
    throw DataError("the text has too many different words; take less of it");
  }
  table_.add(texts_, word);
  texts_ += word;
  texts_ += '\n';
  counts_.push_back(times);
  ids_.push_back(next_id_);
  return next_id_++;
}

// Those that came no more often than the rarer half; what is left is at most half of them.
void CountedWords::forget_rare() {
  std::vector<std::uint64_t> sorted = counts_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  WordTable table;
  std::string texts;
  std::size_t kept = 0;
  for (std::size_t place = 0; place < counts_.size(); ++place) {
    if (counts_[place] <= *middle) continue;
    const std::string_view word = this->word(place);
    table.add(texts, word);
    texts += word;
    texts += '\n';
    counts_[kept] = counts_[place];
    ids_[kept] = ids_[place];
    ++kept;
  }
  counts_.resize(kept);
  ids_.resize(kept);
  table_ = std::move(table);
  texts_ = std::move(texts);
}

std::vector<std::uint32_t> CountedWords::most_frequent(std::uint64_t min_count, std::size_t max_words) const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::uint32_t place) { return counts_[place] < min_count; });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts_[a] > counts_[b]; });
  if (order.size() > max_words) order.resize(max_words);
  return order;
}

}  // namespace copse
