#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "copse/pipeline.h"
#include "parallel/task_pool.h"

namespace copse {

// A sentence on its way through a pipeline.
struct PipelineItem {
  Sentence sentence;
  Parse parse = {};
  std::size_t line = 0;  // of the input where it begins; 0: unknown
  // Why no tree has the known heads; empty if there is one. Such a sentence stays as it was.
  std::string conflict = {};
  std::exception_ptr error = {};  // anything else
};

// Parses many sentences on all threads of a pool. The results do not depend on the number of threads.
class ParallelPipeline {
 public:
  // Borrows the pool.
  ParallelPipeline(const Model& model, const ParseOptions& options, TaskPool& pool);

  // From now on, as Pipeline::set_options().
  void set_options(const ParseOptions& options);

  // Fills in everything but line and sentence; of the sentence, tags are set. What goes wrong with a sentence
  // is said in its item and does not stop the others.
  void parse(std::span<PipelineItem> items);
  // The same, and writes the best trees into the columns of the sentences.
  void parse_and_write_columns(std::span<PipelineItem> items);
  // Tags alone. Throws DataError if the model has no tagger.
  void tag(std::span<Sentence> sentences);

 private:
  struct Batch {
    std::size_t begin = 0;  // in longest_first_
    std::size_t size = 0;
  };

  void run(std::span<PipelineItem> items, bool writes_columns);
  void deal_out(std::span<const int> lengths);
  void parse_batch(std::span<PipelineItem> items, std::span<const std::size_t> numbers, Pipeline& pipeline,
                   bool writes_columns) const;

  TaskPool* pool_;
  bool keeps_known_;
  std::vector<Pipeline> pipelines_;  // one per thread
  std::vector<int> lengths_;         // of sentences
  std::vector<std::size_t> longest_first_;
  std::vector<Batch> batches_;
};

}  // namespace copse
