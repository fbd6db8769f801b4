#pragma once

#include <cstdint>
#include <stdexcept>

#include "parallel/task_pool.h"
#include "vectors/character_ngrams.h"
#include "vectors/training_text.h"
#include "vectors/word_vectors.h"

namespace copse {

struct VectorOptions {
  int dimension = 100;
  int window = 3;
  std::uint64_t min_count = 10;
  std::size_t max_words = 1'000'000;
  int passes = 3;
  int negative = 5;
  NgramLengths ngrams = {};
  double rate = 0.05;            // of the first step; falls to 0 linearly
  double frequent_share = 1e-4;  // words with a larger share of the text are left out now and then
  std::uint64_t seed = 1;
};

struct VectorProgress {
  int pass;  // from 1
  int passes;
  std::uint64_t words;  // of the text, in all passes so far
  std::uint64_t total;  // likewise, in the end
  double loss;          // of a prediction, since the last call
};

class VectorReport {
 public:
  VectorReport() = default;
  VectorReport(const VectorReport&) = delete;
  VectorReport& operator=(const VectorReport&) = delete;
  virtual ~VectorReport() = default;

  virtual void on_vocabulary(const TextVocabulary& vocabulary, std::size_t ngrams) = 0;
  virtual void on_progress(const VectorProgress& progress) = 0;
  // Asked after every step.
  virtual bool should_stop() = 0;
};

// Thrown when a report wanted to stop.
class VectorsStopped : public std::runtime_error {
 public:
  VectorsStopped() : std::runtime_error("the learning of vectors was stopped") {}
};

// Learns vectors for the words of a text (see SkipGram). The same text, options and machine give the same
// vectors for any number of threads. Throws DataError for a text without words that are frequent enough, and
// when weights grow beyond all bounds.
WordVectors learn_vectors(TrainingText& text, const VectorOptions& options, TaskPool& pool,
                          VectorReport& report);

}  // namespace copse
