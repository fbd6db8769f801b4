#include "learning/template_selection.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "features/sentence_parts.h"

namespace copse {
namespace {

constexpr std::size_t kSample = 500;  // sentences

struct TemplateUse {
  std::uint64_t identity = 0;
  double look_ups = 0.0;
  double weight = 0.0;  // absolute values added up
};

std::vector<TemplateUse> measure_use(std::span<const TrainingSentence> sentences,
                                     const FeatureExtractor& extractor, const FeatureIndex& index,
                                     std::span<const float> weights) {
  std::map<std::uint64_t, TemplateUse> uses;
  SentenceFeatures features;
  SentenceParts parts;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> owners;
  const std::size_t step = std::max<std::size_t>(1, sentences.size() / kSample);
  for (std::size_t k = 0; k < sentences.size(); k += step) {
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
        use.look_ups += 1.0;
        const std::uint32_t number = index.numbers.find(hashes[feature]);
        if (number != FeatureTable::kAbsent) use.weight += std::abs(weights[number]);
      }
    });
  }
  std::vector<TemplateUse> list;
  for (const auto& [identity, use] : uses) list.push_back(use);
  return list;
}

}  // namespace

std::vector<std::uint64_t> idle_templates(std::span<const TrainingSentence> sentences,
                                          const FeatureExtractor& extractor, const FeatureIndex& index,
                                          std::span<const float> weights, double share) {
  std::vector<TemplateUse> uses = measure_use(sentences, extractor, index, weights);
  std::stable_sort(uses.begin(), uses.end(), [](const TemplateUse& a, const TemplateUse& b) {
    return a.weight * b.look_ups < b.weight * a.look_ups;
  });
  double all = 0.0;
  for (const TemplateUse& use : uses) all += use.weight;
  std::vector<std::uint64_t> idle;
  double given_up = 0.0;
  for (const TemplateUse& use : uses) {
    given_up += use.weight;
    if (given_up >= share * all) break;
    idle.push_back(use.identity);
  }
  return idle;
}

}  // namespace copse
