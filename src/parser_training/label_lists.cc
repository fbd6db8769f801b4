#include "parser_training/label_lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "copse/error.h"
#include "features/sentence_parts.h"
#include "model/candidate_counts.h"
#include "optimisers/sharded_counts.h"
#include "parallel/team_values.h"
#include "parser_training/gold_tuples.h"

namespace copse {
namespace {

struct LabelledFeature {
  std::uint64_t hash;
  Label label;

  bool operator<(const LabelledFeature& other) const {
    return std::tie(hash, label) < std::tie(other.hash, other.label);
  }
  bool operator==(const LabelledFeature&) const = default;
};

std::uint64_t highest_bits(const LabelledFeature& feature) { return feature.hash; }

std::unordered_map<std::string_view, int> numbers_of(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, int> numbers;
  for (std::size_t k = 0; k < names.size(); ++k) numbers.emplace(names[k], static_cast<int>(k));
  return numbers;
}

// The most frequent ones first.
std::vector<std::string> collect_names(std::span<const TrainingSentence> sentences, Team& team) {
  std::map<std::string, std::int64_t> counts;
  for (const TrainingSentence& example : sentences) {
    for (const Token& word : example.sentence.words()) {
      if (word.deprel() != "_") ++counts[std::string(word.deprel())];
    }
  }
  add_up(team, counts);
  std::vector<std::string> names;
  names.reserve(counts.size());
  for (const auto& [label, count] : counts) names.push_back(label);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  return names;
}

std::vector<int> gold_labels(const TrainingSentence& example,
                             const std::unordered_map<std::string_view, int>& numbers) {
  std::vector<int> labels(example.heads.size(), LabelList::kNoLabel);
  for (int word = 1; word <= example.sentence.size(); ++word) {
    const auto found = numbers.find(example.sentence[word].deprel());
    const bool is_known = found != numbers.end() && example.heads[static_cast<std::size_t>(word)] != kNoHead;
    if (is_known) labels[static_cast<std::size_t>(word)] = found->second;
  }
  return labels;
}

RootLabels collect_root_labels(std::span<const TrainingSentence> sentences,
                               const std::unordered_map<std::string_view, int>& numbers, Team& team) {
  constexpr std::array kPlaces = {ArcPlace::at_root, ArcPlace::inside};
  std::vector<std::int64_t> counts(kPlaces.size() * numbers.size());  // by label and place
  for (const TrainingSentence& example : sentences) {
    const std::vector<int> labels = gold_labels(example, numbers);
    for (std::size_t word = 1; word < labels.size(); ++word) {
      if (labels[word] == LabelList::kNoLabel) continue;
      const std::size_t place = place_of_arc(example.heads[word]) == kPlaces[0] ? 0 : 1;
      ++counts[kPlaces.size() * static_cast<std::size_t>(labels[word]) + place];
    }
  }
  team.add_up(counts);
  RootLabels root(numbers.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) root.count(static_cast<Label>(k / kPlaces.size()), kPlaces[k % kPlaces.size()]);
  }
  return root;
}

// Tags of head and modifier that come so often have only the labels that were seen with them more than by
// mistake.
constexpr int kFewestForFineTags = 50;
constexpr int kFewestForCoarseTags = 10;
constexpr double kLeastShare = 0.001;

CandidateLabels collect_candidates(std::span<const TrainingSentence> sentences, CoarseRule rule,
                                   const std::unordered_map<std::string_view, int>& numbers, Team& team) {
  CandidateCounts counts(
      {static_cast<int>(numbers.size()), kFewestForFineTags, kFewestForCoarseTags, kLeastShare}, team);
  ArcLabelKeys keys;
  const auto for_each_label = [&](auto visit) {
    for (const TrainingSentence& example : sentences) {
      keys.assign(example.sentence, rule);
      const std::vector<int> labels = gold_labels(example, numbers);
      for (int word = 1; word <= example.sentence.size(); ++word) {
        const auto at = static_cast<std::size_t>(word);
        if (labels[at] == LabelList::kNoLabel) continue;
        visit(keys({example.heads[at], word}), static_cast<Label>(labels[at]));
      }
    }
  };
  for_each_label([&](const auto& both, Label label) { counts.count(both, label); });
  counts.end_first_pass();
  for_each_label([&](const auto& both, Label label) { counts.count_again(both, label); });
  return counts.take();
}

// Rows are numbered by falling frequency: those that are needed most often are neighbours in memory.
void number_rows(const std::vector<CountedKey<LabelledFeature>>& counts, LabelIndex& index) {
  struct Row {
    std::size_t begin;
    std::size_t end;
    std::uint64_t frequency;
  };
  std::vector<Row> rows;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (k == 0 || counts[k].key.hash != counts[k - 1].key.hash) rows.push_back({k, k, 0});
    rows.back().end = k + 1;
    rows.back().frequency += counts[k].count;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.frequency > b.frequency; });
  for (const Row& row : rows) {
    index.hashes.push_back(counts[row.begin].key.hash);
    index.starts.push_back(static_cast<std::uint32_t>(index.labels.size()));
    for (std::size_t k = row.begin; k < row.end; ++k) index.labels.push_back(counts[k].key.label);
  }
  index.starts.push_back(static_cast<std::uint32_t>(index.labels.size()));
}

}  // namespace

LabelIndex index_labels(std::span<const TrainingSentence> sentences, FeatureExtractor extractor, int cutoff,
                        TaskPool& pool) {
  Team& team = pool.team();
  LabelIndex index{std::move(extractor), collect_names(sentences, team), {}, {}, {}, {}, {}, {}};
  if (index.names.empty()) throw DataError("no arc has a label to learn from: DEPREL is _ everywhere");
  if (index.names.size() > static_cast<std::size_t>(kMostLabels))
    throw DataError("there are too many different labels");
  const auto numbers = numbers_of(index.names);
  index.root = collect_root_labels(sentences, numbers, team);
  index.candidates = collect_candidates(sentences, index.extractor.options().coarse, numbers, team);
  struct Worker {
    SentenceFeatures features;
    std::vector<std::uint64_t> hashes;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  ShardedCounts<LabelledFeature> counts(pool);
  constexpr std::size_t kRound = 20'000;
  for (std::size_t begin = 0; begin < sentences.size(); begin += kRound) {
    pool.for_each(std::min(kRound, sentences.size() - begin), [&](std::size_t k, int number) {
      Worker& worker = workers[static_cast<std::size_t>(number)];
      const TrainingSentence& example = sentences[begin + k];
      worker.features.assign(index.extractor, example.sentence);
      const std::vector<int> labels = gold_labels(example, numbers);
      for_each_gold_tuple(example, index.extractor.factorization(), [&](Scope scope, const Tuple& tuple) {
        const int label = labels[static_cast<std::size_t>(tuple.modifier)];
        if (label == LabelList::kNoLabel) return;
        worker.hashes.clear();
        worker.features.append(scope, tuple, worker.hashes);
        for (const std::uint64_t hash : worker.hashes) counts.add(number, {hash, static_cast<Label>(label)});
      });
    });
    counts.count();
  }
  number_rows(counts.take(static_cast<std::uint32_t>(std::max(cutoff, 0))), index);
  std::vector<std::uint32_t> own(index.hashes.size());
  std::iota(own.begin(), own.end(), 0U);
  index.rows = FeatureTable(index.hashes, own);
  return index;
}

LabelModel make_label_model(const LabelIndex& index, std::span<const float> weights) {
  std::vector<LabelRows::Entry> entries;
  entries.reserve(index.size());
  for (std::size_t row = 0; row < index.hashes.size(); ++row) {
    for (std::uint32_t k = index.starts[row]; k < index.starts[row + 1]; ++k) {
      entries.push_back({index.hashes[row], index.labels[k], weights[k]});
    }
  }
  // Learners differ in how large their weights get. All but a few weights shall fit into a byte; the largest
  // ones are cut, which costs less than coarse steps of all others.
  constexpr double kLargest = 127.0;
  constexpr std::size_t kCutOneIn = 5000;
  double largest = 0.0;
  if (!weights.empty()) {  // in a tiny treebank no feature may be frequent enough
    std::vector<float> sizes(weights.begin(), weights.end());
    for (float& size : sizes) size = std::abs(size);
    const auto place = sizes.end() - 1 - static_cast<std::ptrdiff_t>(sizes.size() / kCutOneIn);
    std::nth_element(sizes.begin(), place, sizes.end());
    largest = *place;
  }
  return {index.names, index.root, index.extractor, index.candidates,
          LabelRows(std::move(entries), largest > 0.0 ? largest / kLargest : 1.0)};
}

LabelLists::LabelLists(std::span<const TrainingSentence> sentences, const LabelIndex& index, TaskPool& pool)
    : index_(&index), lists_(sentences.size()) {
  struct Worker {
    SentenceFeatures features;
    SentenceParts parts;
    ArcLabelKeys keys;
    std::vector<std::uint64_t> hashes;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  const auto numbers = numbers_of(index.names);
  pool.for_each(sentences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    const TrainingSentence& example = sentences[k];
    LabelList& list = lists_[k];
    list.gold = gold_labels(example, numbers);
    worker.parts.assign(example.sentence.size(), example.candidates, index.extractor.factorization());
    worker.keys.assign(example.sentence, index.extractor.options().coarse);
    for (const Arc arc : worker.parts.arcs().all()) {
      list.candidate_rows.push_back(index.candidates.find_row(worker.keys(arc)));
    }
    worker.features.assign(index.extractor, example.sentence);
    for_each_tuple(worker.parts.tuples(), [&](Scope scope, const Tuple& tuple) {
      worker.hashes.clear();
      worker.features.append(scope, tuple, worker.hashes);
      for (const std::uint64_t hash : worker.hashes) index.rows.prefetch(hash);
      const std::size_t before = list.rows.size();
      for (const std::uint64_t hash : worker.hashes) {
        const std::uint32_t row = index.rows.find(hash);
        if (row != FeatureTable::kAbsent) list.rows.push_back(row);
      }
      list.lengths.push_back(static_cast<std::uint16_t>(list.rows.size() - before));
    });
    list.rows.shrink_to_fit();
  });
}

}  // namespace copse
