// Batches of sentences for every back end, and the questions to them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "copse/batch/batch_distribution.h"
#include "inference/expectations.h"
#include "inference/library_input.h"

namespace copse::testing {

// What answers must agree to: their numbers are rounded to Number, what is between is double.
template <class Number>
constexpr double batch_tolerance() {
  return sizeof(Number) == 4 ? 1e-5 : 1e-10;
}

// What is given for a batch. Potentials are rounded to Number before anything is computed from them.
template <class Number>
struct BatchInput {
  Factorization factorization = Factorization::first;
  TreeSpace trees = RootMode::multi;
  std::vector<std::unique_ptr<LibraryInput>> inputs;

  LibraryInput& add() {
    inputs.push_back(std::make_unique<LibraryInput>());
    return *inputs.back();
  }
  int size() const { return static_cast<int>(inputs.size()); }
  void round() {
    for (auto& input : inputs) {
      for (const PartKind kind : kAllPartKinds) {
        for (double& x : input->potentials[kind]) x = static_cast<Number>(x);
      }
    }
  }
};

template <class Number>
struct BatchOutput {
  std::vector<SentenceStatus> status;
  std::vector<Number> log_partition;
  std::vector<Number> entropy;
  std::array<std::vector<Number>, kPartKinds> marginals;
  std::vector<std::int32_t> best_heads;
  std::vector<Number> best_score;
  std::vector<std::int32_t> sampled_heads;
  BatchDistribution::Position heads_count = 0;

  // The marginals of one sentence.
  Marginals marginals_of(const BatchDistribution& batch, int sentence) const {
    Marginals result;
    for (const PartKind kind : kAllPartKinds) {
      const auto& all = marginals[static_cast<std::size_t>(kind)];
      result[kind].assign(all.begin() + batch.begin(kind, sentence),
                          all.begin() + batch.begin(kind, sentence + 1));
    }
    return result;
  }
  Heads heads_of(const std::vector<std::int32_t>& heads, const BatchDistribution& batch, int sentence,
                 int sample = 0) const {
    const auto begin = heads.begin() + sample * heads_count;
    return {begin + batch.heads_begin(sentence), begin + batch.heads_begin(sentence + 1)};
  }
  bool operator==(const BatchOutput&) const = default;
};

// Asks everything.
template <class Number>
BatchOutput<Number> compute_all(BatchDistribution& batch, const BatchInput<Number>& input, int samples = 1,
                                std::uint64_t seed = 1) {
  std::vector<BatchSentence> sentences;
  for (const auto& one : input.inputs) {
    // Either way to say that all arcs are there.
    const bool is_implied = one->arcs.is_full() && sentences.size() % 2 == 0;
    sentences.push_back({one->words(), is_implied ? nullptr : &one->arcs});
  }
  batch.assign(input.factorization, input.trees, sentences);
  std::array<std::vector<Number>, kPartKinds> potentials;
  PartArrays<const Number> borrowed;
  BatchOutput<Number> output;
  BatchAnswers<Number> answers;
  constexpr Number kUnset = 77;  // every number must be written
  for (const PartKind kind : part_kinds(input.factorization)) {
    std::vector<Number>& values = potentials[static_cast<std::size_t>(kind)];
    for (const auto& one : input.inputs) {
      for (const double x : one->potentials[kind]) values.push_back(static_cast<Number>(x));
    }
    borrowed[kind] = values.data();
    std::vector<Number>& marginals = output.marginals[static_cast<std::size_t>(kind)];
    marginals.assign(values.size(), kUnset);
    answers.marginals[kind] = marginals.data();
  }
  const auto size = static_cast<std::size_t>(input.size());
  output.status.resize(size);
  output.log_partition.assign(size, kUnset);
  output.entropy.assign(size, kUnset);
  output.best_score.assign(size, kUnset);
  output.heads_count = batch.heads_count();
  output.best_heads.assign(static_cast<std::size_t>(batch.heads_count()), 77);
  output.sampled_heads.assign(static_cast<std::size_t>(batch.heads_count()) * samples, 77);
  answers.status = output.status.data();
  answers.log_partition = output.log_partition.data();
  answers.entropy = output.entropy.data();
  answers.best_score = output.best_score.data();
  answers.best_heads = output.best_heads.data();
  answers.samples = samples;
  answers.seed = seed;
  answers.sampled_heads = output.sampled_heads.data();
  batch.compute_on_host(borrowed, answers);
  return output;
}

// A tree of the sentence, and the score that belongs to it.
inline void expect_tree(TreeDistribution& reference, const Heads& heads, double score, double tolerance) {
  const double expected = reference.score(heads);
  ASSERT_GT(expected, -std::numeric_limits<double>::infinity()) << "no tree of the distribution";
  EXPECT_NEAR(score, expected, tolerance * std::max(1.0, std::abs(expected)));
}

// All answers about one sentence against TreeDistribution in the log domain.
template <class Number>
void expect_as_reference(const BatchDistribution& batch, const BatchInput<Number>& input,
                         const BatchOutput<Number>& output, int sentence, int samples = 1) {
  constexpr double kRelative = batch_tolerance<Number>();
  const LibraryInput& one = *input.inputs[sentence];
  const auto at = static_cast<std::size_t>(sentence);
  TreeDistribution reference;
  double log_partition = 0.0;
  try {
    one.give_to(reference, Arithmetic::log);
    log_partition = reference.log_partition();
  } catch (const InfeasibleError&) {
    ++case_counts().infeasible;
    EXPECT_EQ(output.status[at], SentenceStatus::infeasible);
    EXPECT_EQ(output.log_partition[at], -std::numeric_limits<Number>::infinity());
    EXPECT_EQ(output.best_score[at], -std::numeric_limits<Number>::infinity());
    EXPECT_EQ(output.entropy[at], 0);
    const Marginals none_at_all = output.marginals_of(batch, sentence);
    for (const PartKind kind : part_kinds(input.factorization)) {
      for (const double x : none_at_all[kind]) ASSERT_EQ(x, 0.0);
    }
    Heads none(static_cast<std::size_t>(one.words()) + 1, -1);
    none[0] = 0;
    EXPECT_EQ(output.heads_of(output.best_heads, batch, sentence), none);
    EXPECT_EQ(output.heads_of(output.sampled_heads, batch, sentence), none);
    return;
  }
  const double size = std::max(1.0, std::abs(log_partition));
  ASSERT_EQ(output.status[at], SentenceStatus::fine);
  EXPECT_NEAR(output.log_partition[at], log_partition, kRelative * size);
  const Marginals marginals = output.marginals_of(batch, sentence);
  for (const PartKind kind : part_kinds(input.factorization)) {
    EXPECT_LE(largest_difference(marginals[kind], reference.marginals()[kind]), kRelative) << name(kind);
    expect_probabilities(marginals[kind], "marginal");
  }
  EXPECT_NEAR(output.entropy[at], reference.entropy(), kRelative * size);
  Heads best(static_cast<std::size_t>(one.words()) + 1);
  const double highest = reference.best_tree(best);
  EXPECT_NEAR(output.best_score[at], highest, kRelative * std::max(1.0, std::abs(highest)));
  expect_tree(reference, output.heads_of(output.best_heads, batch, sentence), output.best_score[at],
              kRelative);
  for (int sample = 0; sample < samples; ++sample) {
    const Heads drawn = output.heads_of(output.sampled_heads, batch, sentence, sample);
    EXPECT_GT(reference.log_probability(drawn), -60 - 3 * one.words() - size * 1e-9)
        << "an improbable tree was drawn";
  }
}

}  // namespace copse::testing
