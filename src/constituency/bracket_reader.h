#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "constituency/constituent_tree.h"
#include "io/byte_source.h"

namespace copse {

struct BracketReadOptions {
  int max_words = 10'000;  // in a tree, empty elements included; as in ConllReadOptions
  size_t max_token_bytes = size_t{64} << 10;
  size_t max_tree_bytes = size_t{64} << 20;
};

// Reads the trees of a Penn bracket file one after the other: `( (S (NP-SBJ (NNP Ann)) (VP (VBZ sings))))`,
// any number in a line or lines in a tree. gzip and zstd data is recognised by its first bytes.
// docs/convert.md says what is accepted.
//
// What cannot be read is a DataError "FILE:LINE: reason; what to do"; after an error the reader is at its
// end.
class BracketReader {
 public:
  // "-" is the standard input.
  explicit BracketReader(const std::string& path, const BracketReadOptions& options = {});

  // `name` stands for the file in messages.
  BracketReader(std::unique_ptr<ByteSource> source, const std::string& name,
                const BracketReadOptions& options = {});
  static BracketReader from_text(std::string text, const BracketReadOptions& options = {},
                                 const std::string& name = "<text>");

  BracketReader(BracketReader&&) noexcept;
  BracketReader& operator=(BracketReader&&) noexcept;
  ~BracketReader();

  // Replaces `tree` by the next one; false when there is none.
  bool next(ConstituentTree& tree);

  // The line that `tree` of the last next() began in, counted from 1.
  size_t first_line() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

std::vector<ConstituentTree> read_brackets(const std::string& path, const BracketReadOptions& options = {});

}  // namespace copse
