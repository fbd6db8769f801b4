#include "parser_training/network_development.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "model/network_potentials.h"
#include "parsing/parser.h"

namespace copse {
namespace {

constexpr std::size_t kBatch = 32;

struct WordCounts {
  std::int64_t words = 0;
  std::int64_t right = 0;
};

}  // namespace

NetworkDevelopment::NetworkDevelopment(std::shared_ptr<const NetworkDescription> network,
                                       std::span<const TrainingSentence> sentences,
                                       const TrainingOptions& options, TaskPool& pool)
    : network_(std::move(network)), sentences_(sentences), options_(&options), pool_(&pool) {}

double NetworkDevelopment::score(std::span<const float> weights) const {
  const Network network(network_, weights);
  std::vector<std::size_t> order(sentences_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sentences_[a].sentence.size() > sentences_[b].sentence.size();
  });
  struct Workspace {
    NetworkPass pass;
    Parser parser;
    std::vector<const Sentence*> sentences;
    PreparedBatch batch;
    std::vector<int> heads;
    Workspace(const Network& trained, TreeSpace trees, const ParserOptions& options)
        : pass(trained), parser(std::make_unique<NetworkPotentials>(pass), trees, options) {}
  };
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (int thread = 0; thread < pool_->threads(); ++thread) {
    workspaces.push_back(
        std::make_unique<Workspace>(network, options_->tree_space(),
                                    ParserOptions{.prune_threshold = options_->prune_threshold,
                                                  .temperature = 1.0,
                                                  .max_parts = options_->max_parts}));
  }
  // Batches are dealt out to the processes of a team.
  Team& team = pool_->team();
  std::vector<std::size_t> batches;
  for (std::size_t batch = 0; batch * kBatch < order.size(); ++batch) {
    if (is_own(team, batch)) batches.push_back(batch);
  }
  std::vector<WordCounts> counts(batches.size());
  pool_->for_each(batches.size(), [&](std::size_t task, int worker) {
    const std::size_t batch = batches[task];
    Workspace& own = *workspaces[static_cast<std::size_t>(worker)];
    const std::span<const std::size_t> numbers =
        std::span(order).subspan(batch * kBatch, std::min(kBatch, order.size() - batch * kBatch));
    own.sentences.clear();
    for (const std::size_t number : numbers) own.sentences.push_back(&sentences_[number].sentence);
    own.parser.prepare(own.sentences, own.batch);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const TrainingSentence& gold = sentences_[numbers[k]];
      const PreparedSentence sentence(own.batch, k);
      own.parser.assign(sentence);
      own.heads.resize(gold.heads.size());
      own.parser.trees().best_tree(own.heads);
      const ConstMatrix labels =
          network_->labels.empty() ? ConstMatrix() : own.pass.label_scores(sentence.roles(), own.heads);
      for (std::size_t word = 1; word < own.heads.size(); ++word) {
        if (gold.heads[word] == kNoHead) continue;
        ++counts[task].words;
        if (own.heads[word] != gold.heads[word]) continue;
        if (labels.rows > 0) {
          const float* scores = labels.row(word);
          const auto best =
              static_cast<std::size_t>(std::max_element(scores, scores + labels.columns) - scores);
          if (network_->labels[best] != gold.sentence[static_cast<int>(word)].deprel()) continue;
        }
        ++counts[task].right;
      }
    }
  });
  std::array<std::int64_t, 2> sums = {};
  for (const WordCounts& some : counts) {
    sums[0] += some.words;
    sums[1] += some.right;
  }
  team.add_up(sums);
  const auto [words, right] = sums;
  return words == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(words);
}

}  // namespace copse
