#pragma once

#include "copse/treebank/sentence.h"

namespace copse {

// Where sentences go one after the other, in some format.
class SentenceWriter {
 public:
  SentenceWriter() = default;
  SentenceWriter(SentenceWriter&&) noexcept = default;
  SentenceWriter& operator=(SentenceWriter&&) noexcept = default;
  virtual ~SentenceWriter() = default;

  // All throw DataError when the output cannot be written.
  virtual void write(const Sentence& sentence) = 0;
  // Hands on what can be handed on already.
  virtual void flush() = 0;
  // After the last sentence. A file appears now, and not before.
  virtual void close() = 0;
};

}  // namespace copse
