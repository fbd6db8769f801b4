#include "parser_training/gold_outputs.h"

namespace copse {

void GoldOutputs::assign(const NetworkDescription& network, std::span<const NetworkExample> examples,
                         std::span<const std::size_t> numbers, const Sequences& sequences) {
  label_arcs.clear();
  labels.clear();
  tags.clear();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const NetworkExample& example = examples[numbers[k]];
    const std::size_t begin = sequences.begin(k);
    for (std::size_t word = 1; word < sequences.length(k) && !network.labels.empty(); ++word) {
      const int head = example.sentence->heads[word];
      if (head < 0 || example.labels[word] < 0) continue;
      label_arcs.push_back({begin + static_cast<std::size_t>(head), begin + word});
      labels.push_back(static_cast<std::uint32_t>(example.labels[word]));
    }
    for (std::size_t column = 0; column < network.tags.size(); ++column) {
      for (std::size_t word = 1; word < sequences.length(k); ++word) {
        const std::int32_t value = example.tags[column][word];
        if (value < 0) continue;
        tags.push_back({begin + word, network.tags[column].place, static_cast<std::size_t>(value)});
      }
    }
  }
}

}  // namespace copse
