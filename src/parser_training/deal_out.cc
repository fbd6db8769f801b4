#include "parser_training/deal_out.h"

#include <algorithm>
#include <utility>

namespace copse {

std::vector<ExampleBatch> deal_out(std::span<const std::size_t> words, std::size_t most_words,
                                   Random& random) {
  std::vector<std::pair<float, std::size_t>> order(words.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    // Not always the same sentences together.
    constexpr float kSpread = 3.0F;
    order[k] = {static_cast<float>(words[k]) + kSpread * random.uniform(), k};
  }
  std::sort(order.begin(), order.end());
  std::vector<ExampleBatch> batches;
  std::size_t sum = 0;
  for (const auto& [length, number] : order) {
    if (batches.empty() || sum + words[number] > most_words) {
      batches.emplace_back();
      sum = 0;
    }
    batches.back().push_back(number);
    sum += words[number];
  }
  for (std::size_t k = batches.size(); k > 1; --k) std::swap(batches[k - 1], batches[random.below(k)]);
  return batches;
}

}  // namespace copse
