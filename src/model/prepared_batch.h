#pragma once

#include <cstddef>
#include <vector>

#include "copse/treebank/sentence.h"
#include "network/encoded_sentences.h"

namespace copse {

// Sentences that a source of potentials has read (PotentialSource::prepare). A value: it stays as it is while
// other sentences are read, so that nothing has to be read twice.
struct PreparedBatch {
  std::vector<const Sentence*> sentences;  // borrowed
  EncodedSentences encoded;                // of models with a network
};

// One of them. Borrows the batch.
class PreparedSentence {
 public:
  PreparedSentence(const PreparedBatch& batch, std::size_t number) : batch_(&batch), number_(number) {}

  const Sentence& sentence() const { return *batch_->sentences[number_]; }
  int words() const { return sentence().size(); }
  // Of models with a network.
  ConstMatrix roles() const { return batch_->encoded.roles(number_); }

 private:
  const PreparedBatch* batch_;
  std::size_t number_;
};

}  // namespace copse
