#pragma once

#include "copse/treebank/sentence.h"

namespace copse {

// Where sentences come from one after the other, in some format.
class SentenceReader {
 public:
  SentenceReader() = default;
  SentenceReader(SentenceReader&&) noexcept = default;
  SentenceReader& operator=(SentenceReader&&) noexcept = default;
  virtual ~SentenceReader() = default;

  // Replaces `sentence` by the next one; false when there is none. What cannot be read is a DataError
  // "FILE:LINE: reason; what to do".
  virtual bool next(Sentence& sentence) = 0;
};

}  // namespace copse
