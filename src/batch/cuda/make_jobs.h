// From a batch to what the solvers are given.
#pragma once

#include "batch/batch_back_end.h"
#include "batch/cuda/sentence_solver.h"

namespace copse {

inline SentenceJob make_job(const Batch& batch, int sentence, const ChartTables& tables) {
  SentenceJob job{};
  job.tables = tables;
  for (std::size_t kind = 0; kind < kCudaPartKinds; ++kind) {
    job.begins[kind] = batch.begins[kind][sentence];
    job.counts[kind] = batch.begins[kind][sentence + 1] - batch.begins[kind][sentence];
  }
  job.heads_begin = batch.heads_begins[sentence];
  job.sentence = sentence;
  return job;
}

template <class Number>
SolverArguments<Number> make_arguments(const Batch& batch, const PartArrays<const Number>& potentials,
                                       const BatchAnswers<Number>& answers, const SentenceJob* jobs,
                                       JobState* states) {
  static_assert(sizeof(SentenceStatus) == 1);
  SolverArguments<Number> arguments{};
  arguments.jobs = jobs;
  arguments.states = states;
  arguments.single_root = batch.trees.root == RootMode::single;
  arguments.wants_adjoints = answers.entropy != nullptr;
  for (const PartKind kind : part_kinds(batch.factorization)) {
    const auto k = static_cast<std::size_t>(kind);
    arguments.potentials[k] = potentials[kind];
    arguments.marginals[k] = answers.marginals[kind];
    arguments.wants_adjoints |= answers.marginals[kind] != nullptr;
  }
  arguments.status = reinterpret_cast<std::uint8_t*>(answers.status);
  arguments.log_partition = answers.log_partition;
  arguments.entropy = answers.entropy;
  arguments.best_heads = answers.best_heads;
  arguments.best_score = answers.best_score;
  arguments.samples = answers.samples;
  arguments.seed = answers.seed;
  arguments.first_sentence = batch.first_sentence;
  arguments.sampled_heads = answers.sampled_heads;
  arguments.heads_count = batch.heads_begins.back();
  return arguments;
}

}  // namespace copse
