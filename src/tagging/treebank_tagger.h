#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "copse/treebank/sentence_writer.h"
#include "parallel/task_pool.h"
#include "tagging/tagger.h"

namespace copse {

// Tags many sentences on all threads of a pool. The results do not depend on the number of threads.
class BatchTagger {
 public:
  // Borrows the pool.
  BatchTagger(const TaggerModel& tagger, const TaggingOptions& options, TaskPool& pool);

  void tag(std::span<Sentence> sentences);

 private:
  TaskPool* pool_;
  std::vector<Tagger> taggers_;  // one per thread
};

// A stream of sentences: those that come in are tagged on all threads and written in the same order. It holds
// a bounded number of them at a time.
class TreebankTagger {
 public:
  // Sets the tags of sentences, on whatever threads there are.
  using TagBatch = std::function<void(std::span<Sentence>)>;
  // After every batch, when it has been written; from the thread that hands over sentences.
  using OnProgress = std::function<void(std::int64_t sentences, std::int64_t words)>;

  // Borrows the writer.
  TreebankTagger(TagBatch tag, int threads, SentenceWriter& writer, OnProgress on_progress);

  // Tags and writes when enough sentences have come together to keep all threads busy.
  void add(Sentence&& sentence);
  // Tags and writes now what has come so far: at the end, and when somebody waits for the results.
  void flush();

 private:
  TagBatch tag_;
  SentenceWriter* writer_;
  OnProgress on_progress_;
  std::int64_t max_words_;
  std::vector<Sentence> batch_;
  std::int64_t batch_words_ = 0;
  std::int64_t sentences_ = 0;  // that have been written
  std::int64_t words_ = 0;
};

// How many words have the right value, of all words and of those whose form training data does not have.
struct TaggingScore {
  std::int64_t words = 0;
  std::int64_t right = 0;
  std::int64_t unknown_words = 0;
  std::int64_t unknown_right = 0;

  // NaN without words.
  double accuracy() const { return static_cast<double>(right) / static_cast<double>(words); }
  double unknown_accuracy() const {
    return static_cast<double>(unknown_right) / static_cast<double>(unknown_words);
  }
};

// In a team, each process has its own share of training data and of what is to be scored.
class TaggingEvaluator {
 public:
  explicit TaggingEvaluator(std::span<const Sentence> training, Team& team = Team::alone());

  // Two versions of one sentence.
  void add(const Sentence& gold, const Sentence& tagged);
  // In the end: the scores are those of all processes.
  void add_up(Team& team);
  const TaggingScore& score(TagAttribute attribute) const {
    return scores_[static_cast<std::size_t>(attribute)];
  }

 private:
  std::unordered_set<std::string> known_;
  std::array<TaggingScore, std::size(kTagAttributes)> scores_;
};

}  // namespace copse
