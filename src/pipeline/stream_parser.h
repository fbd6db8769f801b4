#pragma once

#include <cstdint>
#include <vector>

#include "copse/treebank/sentence_writer.h"
#include "pipeline/parallel_pipeline.h"

namespace copse {

// Hears how the parsing of a stream goes. All calls come from the thread that adds sentences.
class ParsingObserver {
 public:
  virtual ~ParsingObserver() = default;
  // After every sentence, numbered from 1, when it has been written.
  virtual void on_sentence(std::int64_t /*number*/, const PipelineItem&) {}
  // After every batch, when it has been written.
  virtual void on_progress(std::int64_t /*sentences*/, std::int64_t /*words*/) {}
};

// A stream of sentences: those that come in are parsed on all threads and written in the same order, with
// their k best trees as consecutive sentences. It holds a bounded number of them at a time.
//
// Sentences whose known heads are in conflict are written as they came. Where anything else goes wrong, all
// sentences before are written, and the error is thrown.
class StreamParser {
 public:
  // Borrows pool, writer and observer.
  StreamParser(const Model& model, const ParseOptions& options, TaskPool& pool, SentenceWriter& writer,
               ParsingObserver& observer);

  // Parses and writes when enough sentences have come together to keep all threads busy. `line` is where the
  // sentence begins in its file, or 0.
  void add(Sentence&& sentence, std::size_t line = 0);
  // Parses and writes now what has come so far: call this when no more sentences come, or when they take
  // their time and a reader waits for the results.
  void flush();

 private:
  void write(PipelineItem& item);

  ParallelPipeline pipeline_;
  SentenceWriter* writer_;
  ParsingObserver* observer_;
  std::size_t max_sentences_;
  std::int64_t max_words_;
  std::vector<PipelineItem> batch_;  // of which the first `size_` are in use, to use their memory again
  std::size_t size_ = 0;
  std::int64_t batch_words_ = 0;
  std::int64_t sentences_ = 0;  // that have been written
  std::int64_t words_ = 0;
};

}  // namespace copse
