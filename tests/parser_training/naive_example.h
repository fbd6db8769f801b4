#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "features/feature_extractor.h"
#include "features/scope_words.h"
#include "inference/enumeration.h"
#include "parser_training/feature_index.h"
#include "parser_training/training_set.h"

namespace copse::testing {

using NumbersByHash = std::unordered_map<std::uint64_t, std::uint32_t>;

inline NumbersByHash numbers_by_hash(const FeatureIndex& index) {
  NumbersByHash numbers;
  for (std::size_t k = 0; k < index.size(); ++k)
    numbers.emplace(index.hashes[k], static_cast<std::uint32_t>(k));
  return numbers;
}

// A training sentence whose parts are scored one by one, feature by feature: no tuples that parts share, no
// lists of features, no tables. What is asked about its trees is answered by looking at all of them.
class NaiveExample {
 public:
  NaiveExample(const TrainingSentence& example, const FeatureExtractor& extractor,
               const NumbersByHash& numbers, TreeSpace trees)
      : example_(example), factorization_(extractor.factorization()), trees_(trees) {
    if (example.candidates.empty())
      arcs_.assign_all(example.sentence.size());
    else
      arcs_.assign(example.sentence.size(), example.candidates);
    parts_.assign(arcs_, factorization_);
    SentenceFeatures features;
    features.assign(extractor, example.sentence);
    for (Order order : orders_of(factorization_)) {
      for_each_part(parts_, order, [&](const Part& part, PartIndex::Position) {
        std::vector<std::uint64_t> hashes;
        for (Scope scope : scopes_of(order)) features.append(scope, to_tuple(part), hashes);
        ScoredPart& scored = scored_parts_.emplace_back(ScoredPart{order, part, {}});
        for (const std::uint64_t hash : hashes) {
          if (const auto found = numbers.find(hash); found != numbers.end())
            scored.features.push_back(found->second);
        }
      });
    }
  }
  NaiveExample(const NaiveExample&) = delete;
  NaiveExample& operator=(const NaiveExample&) = delete;

  const TrainingSentence& sentence() const { return example_; }

  // `margin` is added to the score of every arc that contradicts the tree.
  testing::TreeModel model(std::span<const float> weights, double margin = 0.0) const {
    testing::TreeModel model(arcs_.words());
    model.factorization = factorization_;
    model.root = trees_.root;
    model.kind = trees_.kind;
    model.candidates.assign(arcs_.all().begin(), arcs_.all().end());
    for (const ScoredPart& scored : scored_parts_) {
      double& potential = model.potentials.at(scored.order, scored.part);
      for (const std::uint32_t feature : scored.features) potential += weights[feature];
      const int gold = example_.heads[static_cast<std::size_t>(scored.part.modifier)];
      if (scored.order == Order::arc && gold != kNoHead && gold != scored.part.head) potential += margin;
    }
    return model;
  }

  // The trees that agree with the heads that are known.
  testing::TreeModel gold_model(std::span<const float> weights) const {
    testing::TreeModel restricted = model(weights);
    restricted.constraints.heads = example_.heads;
    return restricted;
  }

  double log_loss(std::span<const float> weights, double margin = 0.0) const {
    const testing::TreeModel all = model(weights, margin);
    const testing::TreeModel gold = gold_model(weights);
    return static_cast<double>(Enumeration(all).log_partition() - Enumeration(gold).log_partition());
  }

  void add_gradient(std::span<const float> weights, std::vector<double>& gradient,
                    double margin = 0.0) const {
    const testing::TreeModel all = model(weights, margin);
    const testing::TreeModel gold = gold_model(weights);
    const auto expected = Enumeration(all).marginals();
    const auto observed = Enumeration(gold).marginals();
    for (const auto& [order, part, features] : scored_parts_) {
      const auto difference = static_cast<double>(expected.at(order, part) - observed.at(order, part));
      for (const std::uint32_t feature : features) gradient[feature] += difference;
    }
  }

  // Adds the features of a tree, `amount` times each.
  template <class Number>
  void add_tree(const Heads& heads, Number amount, std::vector<Number>& counts) const {
    PartTable<char> is_in_tree(arcs_.words());
    for_each_part_of_tree(heads, [&](const Part& part) {
      for (Order order : orders_of(factorization_, part)) is_in_tree.at(order, part) = 1;
    });
    for (const auto& [order, part, features] : scored_parts_) {
      if (is_in_tree.at(order, part) == 0) continue;
      for (const std::uint32_t feature : features) counts[feature] += amount;
    }
  }

 private:
  struct ScoredPart {
    Order order;
    Part part;
    std::vector<std::uint32_t> features;
  };

  const TrainingSentence& example_;
  Factorization factorization_;
  TreeSpace trees_;
  ArcSet arcs_;
  PartIndex parts_;
  std::vector<ScoredPart> scored_parts_;
};

}  // namespace copse::testing
