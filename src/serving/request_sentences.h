#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/model.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/sentence_reader.h"
#include "copse/treebank/text_range.h"
#include "serving/parse_request.h"

namespace copse {

// A sentence of a request on its way to the parser. Vectors have an entry for each word and one for the root.
struct RequestSentence {
  int number = 0;  // from 1
  Sentence sentence;
  std::vector<std::optional<TextRange>> ranges;  // of words
  // Which heads and labels the client has given; empty if none were.
  std::vector<bool> has_given_head;
  std::vector<bool> has_given_label;

  // Puts the heads and labels of the input back that were taken away because they are no constraints: the
  // columns that go with a tree (DEPS) then stay if the tree turns out to be the same.
  void restore_columns();

  struct ArcColumns {
    int head;
    std::string label;
  };
  std::vector<ArcColumns> columns;  // of the input, where they are not the constraints
};

// The sentences of a request, one after the other, with its constraints: what is given stands in HEAD and
// DEPREL, as ParseOptions::keep_known wants it. Throws RequestError for what cannot be read and constraints
// that no word or sentence fits.
class RequestSentences {
 public:
  // Borrows both.
  RequestSentences(const ParseRequest& request, const Model& model);

  bool next(RequestSentence& sentence);

 private:
  bool read(Sentence& sentence);
  void constrain(RequestSentence& sentence);
  void apply(const WordConstraint& constraint, Sentence& sentence) const;

  const ParseRequest* request_;
  std::unique_ptr<SentenceReader> reader_;       // none: the sentences are cut into words
  std::span<const WordConstraint> constraints_;  // that are left
  int read_ = 0;
};

}  // namespace copse
