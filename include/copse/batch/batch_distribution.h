#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/inference/tree_distribution.h"
#include "copse/parallel/device.h"

namespace copse {

class BatchBackEnd;  // what a device does; not installed

struct BatchOptions {
  Device device = Device::cpu;
  int threads = 0;  // of the CPU; 0: one for each core
  // `log` asks for the log domain where `automatic` takes it only if linear arithmetic does not do. There is
  // no use for `linear` here (std::invalid_argument).
  Arithmetic arithmetic = Arithmetic::automatic;
};

struct BatchSentence {
  int words = 0;
  const ArcSet* candidates = nullptr;  // null: all arcs. Borrowed until the next assign().
};

// What became of a sentence. Answers about one that is not `fine` are these: log-partition and score minus
// infinity (infeasible) or NaN (bad_potential), marginals and entropy 0, every head -1 (that of the root 0).
enum class SentenceStatus : std::uint8_t {
  fine,
  infeasible,     // no tree is possible
  bad_potential,  // a potential is NaN or above kLargestPotential, or the scores of all trees overflow
};

// A borrowed array for each kind of part, for the whole batch: sentence after sentence, each one's block in
// the order of its PartIndex. Null for the kinds that a factorization lacks.
template <class Number>
struct PartArrays {
  std::array<Number*, kPartKinds> arrays{};

  Number*& operator[](PartKind kind) { return arrays[static_cast<std::size_t>(kind)]; }
  Number* operator[](PartKind kind) const { return arrays[static_cast<std::size_t>(kind)]; }
};

// Which questions are asked, by where their answers go. Null: not asked. All memory is the caller's, and is
// where the potentials are: the host's for Device::cpu, the GPU's for Device::cuda.
template <class Number>
struct BatchAnswers {
  SentenceStatus* status = nullptr;  // by sentence
  Number* log_partition = nullptr;   // by sentence
  Number* entropy = nullptr;         // by sentence, in nats
  PartArrays<Number> marginals;      // any kinds of parts that the factorization has

  // Heads are words + 1 numbers for each sentence, of which the first is 0; see heads_begin().
  std::int32_t* best_heads = nullptr;
  Number* best_score = nullptr;  // by sentence

  int samples = 0;                        // trees drawn for each sentence
  std::uint64_t seed = 0;                 // the same seed, the same trees (on the same kind of device)
  std::int32_t* sampled_heads = nullptr;  // [sample][heads of all sentences]
};

// The distributions over the trees of many sentences at once, P(tree) ∝ exp(sum of potentials of its parts),
// one factorization and one space of trees for all. What TreeDistribution answers for one sentence, this
// computes for all of them, on the threads of the CPU or on a GPU; docs/batches.md says how.
//
// Numbers in and out are float or double; the arithmetic between is double on both devices. The same input on
// the same kind of device gives the same bits, whatever the number of threads and whatever else is in the
// batch. A sentence that has no tree, or a bad potential, says so in its status and leaves the others alone.
//
// An object is a workspace: keep it, and assign batch after batch to it. It is not safe to use one object
// from two threads at a time.
class BatchDistribution {
 public:
  using Position = PartIndex::Position;

  // Throws DataError, with why_unavailable(), if the device cannot be used.
  explicit BatchDistribution(const BatchOptions& options = {});
  ~BatchDistribution();
  BatchDistribution(BatchDistribution&&) noexcept;
  BatchDistribution& operator=(BatchDistribution&&) noexcept;

  // Whether a device solves batches of a factorization, wherever it is available: processors do of all.
  static bool supports(Device device, Factorization factorization);

  Device device() const;
  // Whether this one does.
  bool has(Factorization factorization) const;

  // The sentences of the next computations. Throws std::invalid_argument for a sentence without words, for
  // candidates of another number of words, for nonprojective trees with parts of higher than first order, and
  // for a factorization that the device does not have.
  void assign(Factorization factorization, TreeSpace trees, std::span<const BatchSentence> sentences);

  int sentences() const;
  Factorization factorization() const;
  const PartIndex& parts(int sentence) const;
  // Where a sentence's block begins in the array of a kind, and the size of that array.
  Position begin(PartKind kind, int sentence) const;
  Position count(PartKind kind) const { return begin(kind, sentences()); }
  // The same for heads.
  Position heads_begin(int sentence) const;
  Position heads_count() const { return heads_begin(sentences()); }

  // Answers the questions. Arrays are on the device. With CUDA, the work is put into `stream` (a
  // cudaStream_t; null is the default stream) and the call returns before it is done; arrays must stay until
  // then, and calls to the same object use one stream, or wait for the one before. Throws DataError if the
  // memory of the GPU does not suffice for even one sentence at a time, and for other failures of the device.
  void compute(const PartArrays<const float>& potentials, const BatchAnswers<float>& answers,
               void* stream = nullptr);
  void compute(const PartArrays<const double>& potentials, const BatchAnswers<double>& answers,
               void* stream = nullptr);

  // The same for arrays of the host on either device. With CUDA they are copied there and back, in pieces if
  // not all fit at once, and the answers are there when the call returns.
  void compute_on_host(const PartArrays<const float>& potentials, const BatchAnswers<float>& answers);
  void compute_on_host(const PartArrays<const double>& potentials, const BatchAnswers<double>& answers);

 private:
  friend class BatchBackEnd;
  struct Impl;
  BatchDistribution(Device device, std::unique_ptr<BatchBackEnd> back_end);

  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
