#include "pipeline/batch_reader.h"

#include "parsing/sentence_pieces.h"

namespace copse {

void BatchReader::assign(std::span<Sentence* const> sentences, const ParseOptions& options) {
  sentences_.assign(sentences.begin(), sentences.end());
  places_.assign(sentences.size(), std::nullopt);
  to_read_.clear();
  alone_number_.reset();
  for (std::size_t k = 0; k < sentences_.size(); ++k) {
    if (sentences_[k]->empty() || piece_ends(*sentences_[k], options).size() > 1) continue;
    places_[k] = to_read_.size();
    to_read_.push_back(sentences_[k]);
  }
  parser_->prepare(to_read_, together_);
}

PreparedSentence BatchReader::read(std::size_t number) {
  if (places_[number]) return {together_, *places_[number]};
  if (alone_number_ != number) {
    alone_number_.reset();
    if (sentences_[number]->empty()) {
      alone_.sentences.assign(1, sentences_[number]);
    } else {
      parser_->prepare(std::span(sentences_).subspan(number, 1), alone_);
      alone_number_ = number;
    }
  }
  return {alone_, 0};
}

}  // namespace copse
