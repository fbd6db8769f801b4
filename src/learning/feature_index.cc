#include "learning/feature_index.h"

#include <algorithm>
#include <numeric>

#include "copse/features/sentence_parts.h"
#include "copse/treebank/tree.h"

namespace copse {
namespace {

constexpr int kShardBits = 8;
constexpr std::size_t kShards = std::size_t{1} << kShardBits;

struct CountedFeature {
  std::uint64_t hash;
  std::uint32_t count;
};

// Appends the features of every part of the tree, once per part.
void append_gold_features(const TrainingSentence& example, const SentenceFeatures& features,
                          Factorization factorization, std::vector<std::uint64_t>& hashes) {
  const std::vector<int> siblings = inner_siblings(example.heads);
  const std::vector<int> parents = grandparents(example.heads);
  for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
    const auto word = static_cast<std::size_t>(modifier);
    if (example.heads[word] == kNoHead) continue;
    const Tuple tuple{parents[word], example.heads[word], siblings[word], modifier};
    const auto append = [&](std::initializer_list<Scope> scopes) {
      for (const Scope scope : scopes) features.append(scope, tuple, hashes);
    };
    append({Scope::head, Scope::modifier, Scope::arc});
    if (has_siblings(factorization)) append({Scope::sibling, Scope::sibling_pair});
    if (!has_grandparents(factorization) || tuple.grandparent == kNoHead) continue;
    append({Scope::grandchild, Scope::grandchild_pair});
    if (factorization == Factorization::grandsibling) {
      append({Scope::grandsibling, Scope::grandsibling_pair, Scope::grandsibling_triple});
    }
  }
}

void append_candidate_features(const TrainingSentence& example, const SentenceFeatures& features,
                               SentenceParts& parts, std::vector<std::uint64_t>& hashes) {
  parts.assign(example.sentence.size(), example.candidates, features.factorization());
  for_each_tuple(parts.tuples(),
                 [&](Scope scope, const Tuple& tuple) { features.append(scope, tuple, hashes); });
}

// Sorts and counts; the result is ordered by hash.
std::vector<CountedFeature> count(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  std::vector<CountedFeature> counted;
  for (std::size_t k = 0; k < hashes.size();) {
    std::size_t end = k + 1;
    while (end < hashes.size() && hashes[end] == hashes[k]) ++end;
    counted.push_back({hashes[k], static_cast<std::uint32_t>(std::min<std::size_t>(end - k, UINT32_MAX))});
    k = end;
  }
  return counted;
}

// Adds up two lists that are ordered by hash.
std::vector<CountedFeature> merge(const std::vector<CountedFeature>& a,
                                  const std::vector<CountedFeature>& b) {
  std::vector<CountedFeature> merged;
  merged.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->hash == right->hash) {
      merged.push_back({left->hash, left->count + right->count});
      ++left, ++right;
    } else {
      merged.push_back(left->hash < right->hash ? *left++ : *right++);
    }
  }
  merged.insert(merged.end(), left, a.end());
  merged.insert(merged.end(), right, b.end());
  return merged;
}

}  // namespace

void FeatureIndex::number_features() {
  std::vector<std::uint32_t> own(hashes.size());
  std::iota(own.begin(), own.end(), 0U);
  numbers = FeatureTable(hashes, own);
}

FeatureIndex index_features(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                            const FeatureIndexOptions& options, TaskPool& pool) {
  // Features are collected by their highest bits, so that each shard can be counted by itself.
  struct Worker {
    SentenceFeatures features;
    SentenceParts parts;
    std::vector<std::uint64_t> hashes;
    std::vector<std::vector<std::uint64_t>> shards{kShards};
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  std::vector<std::vector<CountedFeature>> counted(kShards);
  // In rounds, for the sake of memory: candidate parts have a hundred times the features of gold trees.
  const std::size_t round = options.candidate_features ? 2000 : 50'000;
  for (std::size_t begin = 0; begin < sentences.size(); begin += round) {
    pool.for_each(std::min(round, sentences.size() - begin), [&](std::size_t k, int number) {
      Worker& worker = workers[static_cast<std::size_t>(number)];
      const TrainingSentence& example = sentences[begin + k];
      worker.features.assign(extractor, example.sentence);
      worker.hashes.clear();
      append_gold_features(example, worker.features, extractor.factorization(), worker.hashes);
      if (options.candidate_features) {
        append_candidate_features(example, worker.features, worker.parts, worker.hashes);
      }
      for (const std::uint64_t hash : worker.hashes) worker.shards[hash >> (64 - kShardBits)].push_back(hash);
    });
    pool.for_each(kShards, [&](std::size_t shard, int) {
      std::vector<std::uint64_t> all;
      for (Worker& worker : workers) {
        all.insert(all.end(), worker.shards[shard].begin(), worker.shards[shard].end());
        worker.shards[shard].clear();
      }
      counted[shard] = merge(counted[shard], count(all));
    });
  }
  std::vector<CountedFeature> features;
  for (std::vector<CountedFeature>& shard : counted) {
    for (const CountedFeature& feature : shard) {
      if (feature.count >= static_cast<std::uint32_t>(options.cutoff)) features.push_back(feature);
    }
    shard = {};
  }
  std::stable_sort(features.begin(), features.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  FeatureIndex index;
  index.hashes.reserve(features.size());
  index.counts.reserve(features.size());
  for (const CountedFeature& feature : features) {
    index.hashes.push_back(feature.hash);
    index.counts.push_back(feature.count);
  }
  features = {};
  index.number_features();
  return index;
}

}  // namespace copse
