#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

// What became of a sentence, and what had to be given up for it.
struct ParsedSentence {
  std::vector<Sentence> trees;  // the best one first; several only if k best were asked for
  int pieces = 1;
  bool had_to_prune = false;  // more than asked for: see Parser
};

// Whatever makes trees of sentences, one after the other. A workspace for one thread.
class SentenceAnalyser {
 public:
  virtual ~SentenceAnalyser() = default;
  virtual void parse(const Sentence& sentence, ParsedSentence& result) = 0;
};

// Makes one for another thread.
using AnalyserFactory = std::function<std::unique_ptr<SentenceAnalyser>()>;

}  // namespace copse
