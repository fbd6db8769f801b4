#include "parser_training/feature_index.h"

#include <algorithm>
#include <numeric>

#include "features/sentence_parts.h"
#include "optimisers/sharded_counts.h"
#include "parser_training/gold_tuples.h"

namespace copse {
namespace {

void append_candidate_features(const TrainingSentence& example, const SentenceFeatures& features,
                               SentenceParts& parts, std::vector<std::uint64_t>& hashes) {
  parts.assign(example.sentence.size(), example.candidates, features.factorization());
  for_each_tuple(parts.tuples(),
                 [&](Scope scope, const Tuple& tuple) { features.append(scope, tuple, hashes); });
}

}  // namespace

void FeatureIndex::number_features() {
  std::vector<std::uint32_t> own(hashes.size());
  std::iota(own.begin(), own.end(), 0U);
  numbers = FeatureTable(hashes, own);
}

FeatureIndex index_features(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                            const FeatureIndexOptions& options, TaskPool& pool) {
  struct Worker {
    SentenceFeatures features;
    SentenceParts parts;
    std::vector<std::uint64_t> hashes;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  ShardedCounts<std::uint64_t> counts(pool);
  // In rounds, for the sake of memory: candidate parts have a hundred times the features of gold trees.
  const std::size_t round = options.candidate_features ? 1000 : 5000;
  for (std::size_t begin = 0; begin < sentences.size(); begin += round) {
    pool.for_each(std::min(round, sentences.size() - begin), [&](std::size_t k, int number) {
      Worker& worker = workers[static_cast<std::size_t>(number)];
      const TrainingSentence& example = sentences[begin + k];
      worker.features.assign(extractor, example.sentence);
      worker.hashes.clear();
      for_each_gold_tuple(example, extractor.factorization(), [&](Scope scope, const Tuple& tuple) {
        worker.features.append(scope, tuple, worker.hashes);
      });
      if (options.candidate_features) {
        append_candidate_features(example, worker.features, worker.parts, worker.hashes);
      }
      for (const std::uint64_t hash : worker.hashes) counts.add(number, hash);
    });
    counts.count();
  }
  auto features = counts.take(static_cast<std::uint32_t>(std::max(options.cutoff, 0)));
  std::stable_sort(features.begin(), features.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  FeatureIndex index;
  index.hashes.reserve(features.size());
  index.counts.reserve(features.size());
  for (const auto& feature : features) {
    index.hashes.push_back(feature.key);
    index.counts.push_back(feature.count);
  }
  features = {};
  index.number_features();
  return index;
}

}  // namespace copse
