#include "parser_training/development.h"

#include <array>
#include <cstdint>
#include <numeric>

namespace copse {

DevelopmentSet::DevelopmentSet(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                               const FeatureIndex& index, const LabelIndex* labels, TreeSpace trees,
                               TaskPool& pool, std::size_t most_bytes)
    : lists_(sentences, extractor, index, pool, most_bytes), pool_(&pool) {
  if (labels != nullptr) lists_.set_labels(&labels_.emplace(sentences, *labels, pool));
  for (int worker = 0; worker < pool.threads(); ++worker) {
    examples_.emplace_back(lists_, trees, 0.0, LabelUse::best);
  }
}

double DevelopmentSet::uas(std::span<const float> weights) {
  const std::span<const TrainingSentence> sentences = lists_.sentences();
  std::vector<std::int64_t> words(sentences.size());
  std::vector<std::int64_t> right(sentences.size());
  pool_->for_each(sentences.size(), [&](std::size_t k, int worker) {
    Example& example = examples_[static_cast<std::size_t>(worker)];
    example.assign(k);
    example.score(weights);
    std::vector<int> heads(sentences[k].heads.size());
    example.distribution().best_tree(heads);
    for (std::size_t word = 1; word < heads.size(); ++word) {
      if (sentences[k].heads[word] == kNoHead) continue;
      ++words[k];
      if (sentences[k].heads[word] == heads[word]) ++right[k];
    }
  });
  std::array<std::int64_t, 2> sums = {std::accumulate(words.begin(), words.end(), std::int64_t{0}),
                                      std::accumulate(right.begin(), right.end(), std::int64_t{0})};
  pool_->team().add_up(sums);
  if (sums[0] == 0) return 0.0;
  return static_cast<double>(sums[1]) / static_cast<double>(sums[0]);
}

}  // namespace copse
