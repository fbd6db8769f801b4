#include "learning/feature_lists.h"

#include <limits>
#include <stdexcept>

namespace copse {

void FeatureLister::list(const Sentence& sentence, const TupleIndex& tuples, FeatureList& list) {
  features_.assign(*extractor_, sentence);
  list.features.clear();
  list.lengths.clear();
  for_each_tuple(tuples, [&](Scope scope, const Tuple& tuple) {
    hashes_.clear();
    features_.append(scope, tuple, hashes_);
    for (const std::uint64_t hash : hashes_) index_->numbers.prefetch(hash);
    const std::size_t begin = list.features.size();
    for (const std::uint64_t hash : hashes_) {
      const std::uint32_t number = index_->numbers.find(hash);
      if (number != FeatureTable::kAbsent) list.features.push_back(number);
    }
    const std::size_t length = list.features.size() - begin;
    if (length > std::numeric_limits<std::uint16_t>::max()) throw std::length_error("too many features");
    list.lengths.push_back(static_cast<std::uint16_t>(length));
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
