#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "io/byte_source.h"
#include "vectors/word_vectors.h"

namespace copse {

struct VectorReadOptions {
  std::size_t max_words = WordVectors::kMostWords;  // the first ones; what comes behind them is not read
};

// Vectors from a file whose format its content tells, plain or compressed (gzip, zstd); "-" is the standard
// input:
//   text    a line per word: the word, then its values, separated by spaces or tabs. The first line may have
//           two numbers instead, words and dimension: that of word2vec and of fastText (.vec), not of GloVe
//   binary  word2vec's: the line with the two numbers; per word: the word, a space, values of four bytes
//   ours    what `copse vectors` writes, or a model file with vectors in it
// Throws DataError "FILE:LINE: ..." (of binary files "FILE: word N: ...") for anything else, fastText's .bin
// files included. Allocates by what a file has, not by what its header claims.
WordVectors read_vectors(const std::string& path, const VectorReadOptions& options = {});

// The same for bytes that are decompressed already; `name` stands for them in messages.
WordVectors read_vectors(std::unique_ptr<ByteSource> source, const std::string& name,
                         const VectorReadOptions& options = {});

}  // namespace copse
