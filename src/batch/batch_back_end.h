// What a device does for a BatchDistribution.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "copse/batch/batch_distribution.h"

namespace copse {

// The sentences of a batch and where their numbers are.
struct Batch {
  struct Sentence {
    const PartIndex* parts = nullptr;
    bool is_full = false;  // all arcs: `parts` is that of all such sentences of this length
  };
  Factorization factorization = Factorization::first;
  TreeSpace trees = RootMode::multi;
  std::vector<Sentence> sentences;
  // By kind: per sentence, plus the end.
  std::array<std::vector<PartIndex::Position>, kPartKinds> begins;
  std::vector<PartIndex::Position> heads_begins;
  std::int64_t first_sentence = 0;  // where this is a piece of a larger batch
  std::uint64_t number = 0;         // of the assignment: another one for every other batch
  // Sentence numbers, long sentences first.
  std::vector<int> longest_first;
};

class BatchBackEnd {
 public:
  virtual ~BatchBackEnd() = default;
  // A distribution over a back end of one's own: for tests of schedules and benchmarks of tunings.
  static BatchDistribution make_distribution(Device device, std::unique_ptr<BatchBackEnd> back_end);

  // Whether it solves batches of a factorization.
  virtual bool has(Factorization factorization) const = 0;
  virtual void compute(const Batch& batch, const PartArrays<const float>& potentials,
                       const BatchAnswers<float>& answers, void* stream) = 0;
  virtual void compute(const Batch& batch, const PartArrays<const double>& potentials,
                       const BatchAnswers<double>& answers, void* stream) = 0;
  virtual void compute_on_host(const Batch& batch, const PartArrays<const float>& potentials,
                               const BatchAnswers<float>& answers) = 0;
  virtual void compute_on_host(const Batch& batch, const PartArrays<const double>& potentials,
                               const BatchAnswers<double>& answers) = 0;
};

std::unique_ptr<BatchBackEnd> make_cpu_back_end(const BatchOptions& options);

}  // namespace copse
