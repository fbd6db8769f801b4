#pragma once

#include <memory>
#include <string>

#include "copse/treebank/sentence_reader.h"
#include "io/byte_source.h"

namespace copse {

struct TokenLineOptions {
  int max_words = 10'000;  // in a sentence
  size_t max_line_bytes = size_t{1} << 20;
};

// Reads text that is already cut up: a line is a sentence, and its words are separated by white space. Lines
// without a word are passed over. gzip and zstd data is recognised by its first bytes.
class TokenLineReader : public SentenceReader {
 public:
  // `name` stands for the file in messages.
  TokenLineReader(std::unique_ptr<ByteSource> source, std::string name, const TokenLineOptions& options = {});
  TokenLineReader(TokenLineReader&&) noexcept;
  TokenLineReader& operator=(TokenLineReader&&) noexcept;
  ~TokenLineReader() override;

  bool next(Sentence& sentence) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
