#include "parser_training/template_selection.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "features/sentence_parts.h"
#include "optimisers/fixed_point.h"
#include "parallel/team_values.h"

namespace copse {
namespace {

constexpr std::size_t kSample = 500;  // sentences

struct TemplateUse {
  std::uint64_t identity = 0;
  std::int64_t look_ups = 0;
  std::int64_t weight = 0;  // absolute values added up, in fixed point
};

// The uses of all processes, by identity.
std::vector<TemplateUse> uses_of_team(Team& team, const std::map<std::uint64_t, TemplateUse>& own) {
  std::vector<TemplateUse> list;
  list.reserve(own.size());
  for (const auto& [identity, use] : own) list.push_back(use);
  std::map<std::uint64_t, TemplateUse> sums;
  for (const TemplateUse& use : gather_values<TemplateUse>(team, list)) {
    TemplateUse& sum = sums[use.identity];
    sum.identity = use.identity;
    sum.look_ups += use.look_ups;
    sum.weight += use.weight;
  }
  list.clear();
  for (const auto& [identity, sum] : sums) list.push_back(sum);
  return list;
}

std::vector<TemplateUse> measure_use(std::span<const TrainingSentence> sentences,
                                     const FeatureExtractor& extractor, const FeatureIndex& index,
                                     std::span<const float> weights, Team& team) {
  std::map<std::uint64_t, TemplateUse> uses;
  SentenceFeatures features;
  SentenceParts parts;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> owners;
  const Places places = find_places(team, numbers_of(sentences));
  const std::size_t step = std::max<std::size_t>(1, places.all / kSample);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    if (places.own[k] % step != 0) continue;
    const TrainingSentence& example = sentences[k];
    features.assign(extractor, example.sentence);
    parts.assign(example.sentence.size(), example.candidates, extractor.factorization());
    for_each_tuple(parts.tuples(), [&](Scope scope, const Tuple& tuple) {
      hashes.clear();
      owners.clear();
      features.append(scope, tuple, hashes);
      features.append_templates(scope, tuple, owners);
      for (std::size_t feature = 0; feature < hashes.size(); ++feature) {
        TemplateUse& use = uses[owners[feature]];
        use.identity = owners[feature];
        ++use.look_ups;
        const std::uint32_t number = index.numbers.find(hashes[feature]);
        if (number != FeatureTable::kAbsent) use.weight += to_fixed_point(std::abs(weights[number]));
      }
    });
  }
  return uses_of_team(team, uses);
}

}  // namespace

std::vector<std::uint64_t> idle_templates(std::span<const TrainingSentence> sentences,
                                          const FeatureExtractor& extractor, const FeatureIndex& index,
                                          std::span<const float> weights, double share, Team& team) {
  std::vector<TemplateUse> uses = measure_use(sentences, extractor, index, weights, team);
  std::stable_sort(uses.begin(), uses.end(), [](const TemplateUse& a, const TemplateUse& b) {
    return static_cast<__int128>(a.weight) * b.look_ups < static_cast<__int128>(b.weight) * a.look_ups;
  });
  std::int64_t all = 0;
  for (const TemplateUse& use : uses) all += use.weight;
  std::vector<std::uint64_t> idle;
  std::int64_t given_up = 0;
  for (const TemplateUse& use : uses) {
    given_up += use.weight;
    if (static_cast<double>(given_up) >= share * static_cast<double>(all)) break;
    idle.push_back(use.identity);
  }
  return idle;
}

}  // namespace copse
