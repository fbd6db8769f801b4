#include "learning/cascade.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "copse/parsing/arc_pruner.h"
#include "learning/adagrad.h"
#include "learning/weights_table.h"

namespace copse {
namespace {

constexpr double kPrunerL2 = 5.0;
constexpr double kPrunerStep = 0.1;
constexpr int kPrunerPasses = 8;
constexpr std::size_t kBlock = 32;  // neighbouring sentences belong to one text and to one fold

LinearModel learn_first_order(std::span<const TrainingSentence> sentences, const FeatureOptions& features,
                              const TrainingOptions& options, TaskPool& pool) {
  FeatureExtractor extractor(features, Factorization::first);
  const FeatureIndex index = index_features(sentences, extractor, {}, pool);
  const std::vector<FeatureList> lists = list_features(sentences, extractor, index, pool);
  Adagrad learner({sentences, lists, index.size(), Factorization::first, options.root}, kPrunerL2,
                  kPrunerStep, options.seed, pool);
  for (int pass = 0; pass < kPrunerPasses; ++pass) learner.iterate();
  return {std::move(extractor), weights_table(index, learner.weights())};
}

struct PruningCounts {
  std::int64_t words = 0;
  std::int64_t known_heads = 0;
  std::int64_t arcs = 0;
  std::int64_t lost = 0;

  PruningCounts& operator+=(const PruningCounts& other) {
    words += other.words;
    known_heads += other.known_heads;
    arcs += other.arcs;
    lost += other.lost;
    return *this;
  }
  double arcs_per_word() const { return static_cast<double>(arcs) / static_cast<double>(words); }
  double lost_share() const { return static_cast<double>(lost) / static_cast<double>(known_heads); }
};

// Every arc of a partial tree that may be needed for some tree that agrees with it is kept: the pruner then
// runs under the same constraints once more.
PruningCounts prune_sentence(TrainingSentence& example, ArcPruner& pruner, double threshold, bool keep_gold,
                             std::vector<Arc>& candidates) {
  PruningCounts counts;
  pruner.prune(example.sentence, {}, threshold, candidates);
  std::vector<std::uint8_t> has_gold(example.heads.size());
  for (const Arc& arc : candidates) {
    const auto modifier = static_cast<std::size_t>(arc.modifier);
    if (example.heads[modifier] == arc.head) has_gold[modifier] = 1;
  }
  std::vector<Arc> added;
  for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
    const auto word = static_cast<std::size_t>(modifier);
    if (example.heads[word] == kNoHead) continue;
    ++counts.known_heads;
    if (has_gold[word] != 0) continue;
    ++counts.lost;
    added.push_back({example.heads[word], modifier});
  }
  if (keep_gold) {
    if (!example.is_complete) {
      std::vector<Arc> agreeing;
      pruner.prune(example.sentence, Constraints{example.heads, {}}, threshold, agreeing);
      added.insert(added.end(), agreeing.begin(), agreeing.end());
    }
    candidates.insert(candidates.end(), added.begin(), added.end());
    const auto order = [](const Arc& a, const Arc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    };
    std::sort(candidates.begin(), candidates.end(), order);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }
  example.candidates = candidates;
  counts.words = example.sentence.size();
  counts.arcs = static_cast<std::int64_t>(candidates.size());
  return counts;
}

PruningCounts prune_sentences(std::span<TrainingSentence* const> sentences, const LinearModel& model,
                              const TrainingOptions& options, bool keep_gold, TaskPool& pool) {
  struct Worker {
    ArcPruner pruner;
    std::vector<Arc> candidates;
    PruningCounts counts;
  };
  std::vector<Worker> workers;
  for (int k = 0; k < pool.threads(); ++k) workers.push_back({ArcPruner(model, options.root), {}, {}});
  pool.for_each(sentences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    worker.counts +=
        prune_sentence(*sentences[k], worker.pruner, options.prune_threshold, keep_gold, worker.candidates);
  });
  PruningCounts counts;
  for (const Worker& worker : workers) counts += worker.counts;
  return counts;
}

std::vector<TrainingSentence*> pointers(std::span<TrainingSentence> sentences) {
  std::vector<TrainingSentence*> result;
  for (TrainingSentence& sentence : sentences) result.push_back(&sentence);
  return result;
}

}  // namespace

LinearModel train_pruner(std::span<TrainingSentence> training, std::span<TrainingSentence> development,
                         const FeatureOptions& features, const TrainingOptions& options, TaskPool& pool,
                         PruningReport& report) {
  FeatureOptions pruner_features = features;
  pruner_features.set = FeatureSet::pruner;
  LinearModel pruner = learn_first_order(training, pruner_features, options, pool);
  PruningCounts counts;
  const auto blocks = (training.size() + kBlock - 1) / kBlock;
  const auto folds = std::min(static_cast<std::size_t>(options.prune_folds), blocks);
  if (folds < 2) {
    counts = prune_sentences(pointers(training), pruner, options, true, pool);
  } else {
    for (std::size_t fold = 0; fold < folds; ++fold) {
      std::vector<TrainingSentence> others;
      std::vector<TrainingSentence*> own;
      for (std::size_t k = 0; k < training.size(); ++k) {
        if (k / kBlock % folds == fold)
          own.push_back(&training[k]);
        else
          others.push_back({training[k].sentence, training[k].heads, training[k].is_complete, {}});
      }
      const LinearModel stranger = learn_first_order(others, pruner_features, options, pool);
      counts += prune_sentences(own, stranger, options, true, pool);
    }
  }
  report.arcs_per_word = counts.arcs_per_word();
  report.lost_gold_arcs = counts.lost_share();
  report.dev_arcs_per_word = report.dev_lost_gold_arcs = std::numeric_limits<double>::quiet_NaN();
  if (!development.empty()) {
    const PruningCounts dev = prune_sentences(pointers(development), pruner, options, false, pool);
    report.dev_arcs_per_word = dev.arcs_per_word();
    report.dev_lost_gold_arcs = dev.lost_share();
  }
  return pruner;
}

}  // namespace copse
