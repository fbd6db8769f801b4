#include "learning/feature_lists.h"

#include <stdexcept>

namespace copse {

void FeatureLister::list(const Sentence& sentence, const TupleIndex& tuples, FeatureList& list) {
  features_.assign(*extractor_, sentence);
  list.features.clear();
  list.lengths.clear();
  lookup_.look_up(
      features_, tuples, index_->numbers, [&] { list.lengths.push_back(0); },
      [&](std::uint32_t number) {
        list.features.push_back(number);
        if (++list.lengths.back() == 0) throw std::length_error("too many features");
      });
}

std::vector<FeatureList> list_features(std::span<const TrainingSentence> sentences,
                                       const FeatureExtractor& extractor, const FeatureIndex& index,
                                       TaskPool& pool) {
  struct Worker {
    FeatureLister lister;
    SentenceParts parts;
    FeatureList list;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()),
                              Worker{FeatureLister(extractor, index), {}, {}});
  std::vector<FeatureList> lists(sentences.size());
  pool.for_each(sentences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    const TrainingSentence& example = sentences[k];
    worker.parts.assign(example.sentence.size(), example.candidates, extractor.factorization());
    worker.lister.list(example.sentence, worker.parts.tuples(), worker.list);
    lists[k] = worker.list;  // a copy has no slack
  });
  return lists;
}

}  // namespace copse
