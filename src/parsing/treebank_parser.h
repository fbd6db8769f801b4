#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "copse/treebank/sentence_writer.h"
#include "parallel/task_pool.h"
#include "parsing/sentence_parser.h"

namespace copse {

// Parses many sentences on all threads of a pool. The results do not depend on the number of threads.
class BatchParser {
 public:
  // Borrows model and pool.
  BatchParser(const ParserModel& model, const ParseOptions& settings, TaskPool& pool);
  // Borrows the pool.
  BatchParser(const AnalyserFactory& make, TaskPool& pool);

  // One result per sentence, in their order; overwritten by the next call. `first_number` is that of the
  // first sentence in messages.
  std::span<const ParsedSentence> parse(std::span<const Sentence> sentences, std::int64_t first_number = 1);

 private:
  TaskPool* pool_;
  std::vector<std::unique_ptr<SentenceAnalyser>> parsers_;  // one per thread
  std::vector<ParsedSentence> results_;
  std::vector<std::size_t> longest_first_;
};

// Hears how the parsing of a treebank goes. All calls come from the thread that hands over sentences.
class ParsingObserver {
 public:
  virtual ~ParsingObserver() = default;
  // A sentence, numbered from 1, that was too long to be parsed as asked for: in pieces, or with more
  // pruning.
  virtual void on_long_sentence(std::int64_t /*number*/, int /*words*/, const ParsedSentence&) {}
  // After every batch, when it has been written.
  virtual void on_progress(std::int64_t /*sentences*/, std::int64_t /*words*/) {}
};

// A stream of sentences: those that come in are parsed on all threads and written in the same order. It holds
// a bounded number of them at a time.
class TreebankParser {
 public:
  // Borrows pool, writer and observer.
  TreebankParser(const AnalyserFactory& make, TaskPool& pool, SentenceWriter& writer,
                 ParsingObserver& observer);

  // Parses and writes when enough sentences have come together to keep all threads busy.
  void add(Sentence&& sentence);
  // Parses and writes now what has come so far: call this when no more sentences come, or when they take
  // their time and somebody waits for the results.
  void flush();

 private:
  BatchParser parser_;
  SentenceWriter* writer_;
  ParsingObserver* observer_;
  std::size_t max_sentences_;
  std::int64_t max_words_;
  std::vector<Sentence> batch_;
  std::int64_t batch_words_ = 0;
  std::int64_t sentences_ = 0;  // that have been written
  std::int64_t words_ = 0;
};

}  // namespace copse
