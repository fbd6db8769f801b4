#include "copse/model/part_scorer.h"

#include <bit>

namespace copse {

void PartScorer::score(const Sentence& sentence, const TupleIndex& tuples, Potentials& potentials) {
  features_.assign(model_->extractor, sentence);
  scores_.clear();
  lookup_.look_up(
      features_, tuples, model_->weights, [&] { scores_.push_back(0.0); },
      [&](std::uint32_t weight) { scores_.back() += std::bit_cast<float>(weight); });
  tuples.to_parts(scores_, potentials);
}

}  // namespace copse
