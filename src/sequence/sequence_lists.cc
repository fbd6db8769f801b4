#include "sequence/sequence_lists.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "features/hashing.h"
#include "optimisers/sharded_counts.h"
#include "sequence/sequence_labeller.h"

namespace copse {
namespace {

// So much between counts, for the sake of memory.
constexpr std::size_t kMostSequences = 5000;
constexpr std::size_t kMostCandidates = 500'000;

// The end of a round of counting that begins with this sequence.
std::size_t end_of_round(const LatticeSet& set, std::size_t begin) {
  std::size_t end = begin;
  for (std::size_t candidates = 0; end < set.sequences.size(); ++end) {
    candidates += set.lattices[end].labels.size();
    if (end > begin && (end - begin == kMostSequences || candidates > kMostCandidates)) break;
  }
  return end;
}

struct FeatureLabelKey {
  std::uint64_t feature;
  Label label;
  bool operator<(const FeatureLabelKey& other) const {
    return feature != other.feature ? feature < other.feature : label < other.label;
  }
};
std::uint64_t highest_bits(const FeatureLabelKey& key) { return key.feature; }

struct TransitionKey {
  std::uint64_t hash;
  Label before_that;
  Label before;
  Label label;
  bool operator<(const TransitionKey& other) const { return hash < other.hash; }
};
std::uint64_t highest_bits(const TransitionKey& key) { return key.hash; }

TransitionKey transition(Label before_that, Label before, Label label) {
  return {TransitionWeights::key(before_that, before, label), before_that, before, label};
}

std::span<const std::uint64_t> features_of(const SequenceObservations& observations, int position,
                                           FeatureRange range) {
  return range == FeatureRange::coarse ? observations.coarse_features(position)
                                       : observations.features(position);
}

// Calls pair(before, label) and triple(before_that, before, label) for all candidates, in the order of the
// chain's parts.
template <class Pair, class Triple>
void for_each_transition(const LabelLattice& lattice, int order, Pair pair, Triple triple) {
  if (order == 0) return;
  constexpr Label kBoundary[] = {kBoundaryLabel};
  std::span<const Label> before_that = kBoundary;
  std::span<const Label> before = kBoundary;
  std::size_t first = 0;
  for (const int count : lattice.counts) {
    const std::span<const Label> labels(lattice.labels.data() + first, static_cast<std::size_t>(count));
    first += labels.size();
    for (const Label second : before) {
      for (const Label label : labels) pair(second, label);
    }
    if (order == 2) {
      for (const Label first_label : before_that) {
        for (const Label second : before) {
          for (const Label label : labels) triple(first_label, second, label);
        }
      }
    }
    before_that = before;
    before = labels;
  }
}

template <class Key>
struct GoldAndCandidateCounts {
  explicit GoldAndCandidateCounts(TaskPool& pool) : gold(pool), candidates(pool) {}

  ShardedCounts<Key> gold;
  ShardedCounts<Key> candidates;

  void count() {
    gold.count();
    candidates.count();
  }

  // What is frequent enough, the most frequent first: what is needed most often lies together in memory.
  std::vector<Key> take(int cutoff, int candidate_cutoff) {
    auto all = gold.take(static_cast<std::uint32_t>(std::max(cutoff, 1)));
    if (candidate_cutoff > 0) {
      auto others = candidates.take(static_cast<std::uint32_t>(candidate_cutoff));
      const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
      std::sort(all.begin(), all.end(), by_key);
      std::sort(others.begin(), others.end(), by_key);
      std::vector<CountedKey<Key>> merged;
      // Of equal keys, union takes those of the gold labels.
      std::set_union(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(merged),
                     by_key);
      all = std::move(merged);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    std::vector<Key> keys;
    keys.reserve(all.size());
    for (const auto& counted : all) keys.push_back(counted.key);
    return keys;
  }
};

FeatureTable numbered(std::span<const std::uint64_t> hashes, std::size_t first) {
  std::vector<std::uint32_t> numbers(hashes.size());
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
  return {hashes, numbers};
}

}  // namespace

std::uint64_t WeightIndex::hash(std::uint64_t feature, Label label) {
  return mix(feature + (std::uint64_t{label} + 1) * 0x9E3779B97F4A7C15ULL);
}

CandidateTotals& CandidateTotals::operator+=(const CandidateTotals& other) {
  positions += other.positions;
  candidates += other.candidates;
  lost += other.lost;
  return *this;
}

CandidateTotals choose_candidates(const SequenceModel& model, bool adds_gold, LatticeSet& set,
                                  TaskPool& pool) {
  struct Worker {
    CandidateChooser chooser;
    SequenceObservations observations;
    LabelLattice chosen;
    CandidateTotals counts;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  set.lattices.resize(set.sequences.size());
  pool.for_each(set.sequences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    set.source->observe(set.sequences[k], number, worker.observations);
    LabelLattice& chosen = worker.chosen;
    worker.chooser.choose(model, worker.observations, chosen.labels, chosen.counts);
    const std::span<const Label> gold = set.source->gold(set.sequences[k]);
    LabelLattice lattice;
    auto next = chosen.labels.begin();
    for (std::size_t position = 0; position < gold.size(); ++position) {
      const auto first = lattice.labels.size();
      lattice.labels.insert(lattice.labels.end(), next, next + chosen.counts[position]);
      next += chosen.counts[position];
      auto found = std::lower_bound(lattice.labels.begin() + static_cast<std::ptrdiff_t>(first),
                                    lattice.labels.end(), gold[position]);
      bool is_there = found != lattice.labels.end() && *found == gold[position];
      if (!is_there) ++worker.counts.lost;
      if (!is_there && adds_gold && gold[position] != SequenceSource::kUnknownLabel) {
        found = lattice.labels.insert(found, gold[position]);
        is_there = true;
      }
      lattice.gold.push_back(
          is_there ? static_cast<int>(found - lattice.labels.begin()) - static_cast<int>(first) : -1);
      lattice.counts.push_back(static_cast<int>(lattice.labels.size() - first));
    }
    worker.counts.positions += static_cast<std::int64_t>(gold.size());
    worker.counts.candidates += static_cast<std::int64_t>(lattice.labels.size());
    set.lattices[k] = std::move(lattice);
  });
  CandidateTotals counts;
  for (const Worker& worker : workers) counts += worker.counts;
  std::int64_t sums[] = {counts.positions, counts.candidates, counts.lost};
  pool.team().add_up(sums);
  return {sums[0], sums[1], sums[2]};
}

// Which features come at least `fewest` times. Others cannot have come so often beside any one label.
class FrequentFeatures {
 public:
  FrequentFeatures(const LatticeSet& set, FeatureRange range, int fewest, TaskPool& pool) {
    std::vector<SequenceObservations> observations(static_cast<std::size_t>(pool.threads()));
    ShardedCounts<std::uint64_t> counts(pool);
    for (std::size_t begin = 0; begin < set.sequences.size();) {
      const std::size_t end = std::min(begin + kMostSequences, set.sequences.size());
      pool.for_each(end - begin, [&](std::size_t k, int worker) {
        SequenceObservations& seen = observations[static_cast<std::size_t>(worker)];
        set.source->observe(set.sequences[begin + k], worker, seen);
        for (int position = 0; position < seen.size(); ++position) {
          for (const std::uint64_t feature : features_of(seen, position, range)) counts.add(worker, feature);
        }
      });
      counts.count();
      begin = end;
    }
    for (const auto& counted : counts.take(static_cast<std::uint32_t>(fewest))) {
      features_.push_back(counted.key);
    }
  }

  bool contains(std::uint64_t feature) const {
    return std::binary_search(features_.begin(), features_.end(), feature);
  }

 private:
  std::vector<std::uint64_t> features_;  // in order
};

WeightIndex index_weights(const LatticeSet& set, int order, FeatureRange range,
                          const SequenceTrainingOptions& options, TaskPool& pool) {
  std::vector<SequenceObservations> observations(static_cast<std::size_t>(pool.threads()));
  GoldAndCandidateCounts<FeatureLabelKey> features(pool);
  GoldAndCandidateCounts<TransitionKey> transitions(pool);
  // Most features are rare, and with many labels each has many candidates: these need not be counted.
  std::optional<FrequentFeatures> frequent;
  if (options.candidate_cutoff > 1 && options.labels > kManySequenceLabels) {
    frequent.emplace(set, range, options.candidate_cutoff, pool);
  }
  const auto add_features = [&](std::size_t k, int worker) {
    SequenceObservations& seen = observations[static_cast<std::size_t>(worker)];
    set.source->observe(set.sequences[k], worker, seen);
    const LabelLattice& lattice = set.lattices[k];
    const Label* labels = lattice.labels.data();
    for (int position = 0; position < seen.size(); ++position) {
      const auto index = static_cast<std::size_t>(position);
      for (const std::uint64_t feature : features_of(seen, position, range)) {
        const bool has_candidates =
            options.candidate_cutoff > 0 && (!frequent || frequent->contains(feature));
        for (int label = 0; label < lattice.counts[index]; ++label) {
          if (label == lattice.gold[index])
            features.gold.add(worker, {feature, labels[label]});
          else if (has_candidates)
            features.candidates.add(worker, {feature, labels[label]});
        }
      }
      labels += lattice.counts[index];
    }
  };
  const auto add_transitions = [&](std::size_t k, int worker) {
    if (order == 0) return;
    for_each_transition(
        set.lattices[k], order,
        [&](Label before, Label label) {
          transitions.gold.add(worker, transition(TransitionWeights::kNoLabel, before, label));
        },
        [&](Label before_that, Label before, Label label) {
          if (options.candidate_cutoff > 0)
            transitions.candidates.add(worker, transition(before_that, before, label));
        });
    if (order < 2) return;
    const std::span<const Label> gold = set.source->gold(set.sequences[k]);
    Label before_that = kBoundaryLabel;
    Label before = kBoundaryLabel;
    for (const Label label : gold) {
      transitions.gold.add(worker, transition(before_that, before, label));
      before_that = before;
      before = label;
    }
  };
  for (std::size_t begin = 0; begin < set.sequences.size();) {
    const std::size_t end = end_of_round(set, begin);
    pool.for_each(end - begin, [&](std::size_t k, int worker) {
      add_features(begin + k, worker);
      add_transitions(begin + k, worker);
    });
    features.count();
    transitions.count();
    begin = end;
  }
  WeightIndex index;
  std::vector<std::uint64_t> hashes;
  for (const FeatureLabelKey& key : features.take(options.cutoff, options.candidate_cutoff)) {
    index.feature_labels.push_back({key.feature, key.label});
    hashes.push_back(WeightIndex::hash(key.feature, key.label));
  }
  index.feature_numbers = numbered(hashes, 0);
  hashes.clear();
  for (const TransitionKey& key : transitions.take(1, options.candidate_cutoff)) {
    index.transitions.push_back({key.before_that, key.before, key.label, 0.0F});
    hashes.push_back(key.hash);
  }
  index.transition_numbers = numbered(hashes, index.feature_labels.size());
  return index;
}

std::vector<SequenceList> list_weights(LatticeSet set, int order, FeatureRange range,
                                       const WeightIndex& index, TaskPool& pool) {
  struct Worker {
    SequenceObservations observations;
    std::vector<std::uint64_t> hashes;
    SequenceList list;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  std::vector<SequenceList> lists(set.sequences.size());
  pool.for_each(set.sequences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    set.source->observe(set.sequences[k], number, worker.observations);
    SequenceList& list = worker.list;
    list.number = set.source->number(set.sequences[k]);
    list.lattice = std::move(set.lattices[k]);
    list.features.clear();
    list.lengths.clear();
    list.pairs.clear();
    list.triples.clear();
    const Label* label = list.lattice.labels.data();
    for (int position = 0; position < worker.observations.size(); ++position) {
      const auto features = features_of(worker.observations, position, range);
      if (features.size() > UINT16_MAX) throw std::length_error("too many features");
      for (int left = list.lattice.counts[static_cast<std::size_t>(position)]; left > 0; --left, ++label) {
        worker.hashes.clear();
        for (const std::uint64_t feature : features) {
          const std::uint64_t hash = WeightIndex::hash(feature, *label);
          if (!index.feature_numbers.filter().may_contain(hash)) continue;
          index.feature_numbers.prefetch(hash);
          worker.hashes.push_back(hash);
        }
        const std::size_t before = list.features.size();
        for (const std::uint64_t hash : worker.hashes) {
          const std::uint32_t weight = index.feature_numbers.find(hash);
          if (weight != FeatureTable::kAbsent) list.features.push_back(weight);
        }
        list.lengths.push_back(static_cast<std::uint16_t>(list.features.size() - before));
      }
    }
    for_each_transition(
        list.lattice, order,
        [&](Label before, Label last) {
          list.pairs.push_back(index.transition_numbers.find(
              TransitionWeights::key(TransitionWeights::kNoLabel, before, last)));
        },
        [&](Label before_that, Label before, Label last) {
          list.triples.push_back(
              index.transition_numbers.find(TransitionWeights::key(before_that, before, last)));
        });
    lists[k] = list;  // a copy has no slack
  });
  return lists;
}

}  // namespace copse
