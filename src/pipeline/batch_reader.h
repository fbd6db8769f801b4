#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "copse/parse_options.h"
#include "model/prepared_batch.h"
#include "parsing/sentence_parser.h"

namespace copse {

// Reads the sentences of a batch for a parser, each of them once. Those that are parsed as a whole are read
// together; a long one, which is parsed in pieces, is read by itself when it is its turn, so that no more
// than one of them takes memory.
class BatchReader {
 public:
  // Borrows the parser.
  explicit BatchReader(SentenceParser& parser) : parser_(&parser) {}

  // Borrows the sentences until the next call. Empty ones are never read.
  void assign(std::span<Sentence* const> sentences, const ParseOptions& options);

  // One of these. What it refers to lasts until the next call.
  PreparedSentence read(std::size_t number);

 private:
  SentenceParser* parser_;
  std::vector<const Sentence*> sentences_;
  std::vector<std::optional<std::size_t>> places_;  // among those that are read together
  std::vector<const Sentence*> to_read_;
  PreparedBatch together_;
  PreparedBatch alone_;
  std::optional<std::size_t> alone_number_;  // of the sentence that is read by itself
};

}  // namespace copse
