#include "parser_training/network_example.h"

#include <algorithm>

namespace copse {

NetworkExample make_network_example(const TrainingSentence& sentence, const NetworkDescription& network) {
  NetworkExample example{&sentence, {}, {}};
  const auto words = static_cast<std::size_t>(sentence.sentence.size());
  if (!network.labels.empty()) {
    example.labels.assign(words + 1, -1);
    for (std::size_t word = 1; word <= words; ++word) {
      const std::string_view label = sentence.sentence[static_cast<int>(word)].deprel();
      const auto found = std::lower_bound(network.labels.begin(), network.labels.end(), label);
      if (found != network.labels.end() && *found == label) {
        example.labels[word] = static_cast<std::int32_t>(found - network.labels.begin());
      }
    }
  }
  for (const TagColumn& column : network.tags) {
    std::vector<std::int32_t>& values = example.tags.emplace_back(words + 1, -1);
    for (std::size_t word = 1; word <= words; ++word) {
      const Token& token = sentence.sentence[static_cast<int>(word)];
      values[word] =
          static_cast<std::int32_t>(column.values.find(TagColumn::value_of(token, column.column))) - 1;
    }
  }
  return example;
}

}  // namespace copse
