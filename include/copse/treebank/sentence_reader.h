#pragma once

#include <cstddef>

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

  // The line that the sentence of the last next() began in, counted from 1; 0 if that is not known.
  virtual std::size_t first_line() const { return 0; }
};

}  // namespace copse
