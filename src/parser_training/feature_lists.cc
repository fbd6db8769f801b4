#include "parser_training/feature_lists.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace copse {

void FeatureLister::list(const Sentence& sentence, const TupleIndex& tuples, FeatureList& list) {
  features_.assign(*extractor_, sentence);
  list.features.clear();
  list.lengths.clear();
  const FeatureTable& numbers = index_->numbers;
  batches_.for_each(features_, tuples, numbers.filter(),
                    [&](const std::uint64_t* hash, std::span<const int> lengths) {
                      const std::uint64_t* next = hash;
                      for (const int length : lengths) {
                        for (int k = 0; k < length; ++k) numbers.prefetch(*next++);
                      }
                      for (const int length : lengths) {
                        const std::size_t before = list.features.size();
                        for (int k = 0; k < length; ++k) {
                          const std::uint32_t number = numbers.find(*hash++);
                          if (number != FeatureTable::kAbsent) list.features.push_back(number);
                        }
                        const std::size_t own = list.features.size() - before;
                        if (own > UINT16_MAX) throw std::length_error("too many features");
                        list.lengths.push_back(static_cast<std::uint16_t>(own));
                      }
                    });
}

FeatureLists::FeatureLists(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                           const FeatureIndex& index, TaskPool& pool, std::size_t most_bytes)
    : sentences_(sentences),
      extractor_(&extractor),
      index_(&index),
      most_bytes_(most_bytes),
      lists_(sentences.size()),
      is_kept_(sentences.size()),
      sizes_(sentences.size()) {
  make(pool);
}

void FeatureLists::make(TaskPool& pool) {
  struct Worker {
    FeatureLister lister;
    SentenceParts parts;
    FeatureList list;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()),
                              Worker{FeatureLister(*extractor_, *index_), {}, {}});
  std::atomic<std::size_t> bytes = bytes_;
  pool.for_each(lists_.size(), [&](std::size_t k, int number) {
    if (is_kept_[k] != 0) return;
    Worker& worker = workers[static_cast<std::size_t>(number)];
    const TrainingSentence& example = sentences_[k];
    worker.parts.assign(example.sentence.size(), example.candidates, extractor_->factorization());
    worker.lister.list(example.sentence, worker.parts.tuples(), worker.list);
    sizes_[k] = static_cast<std::uint32_t>(worker.list.features.size());
    const std::size_t own = worker.list.bytes();
    if (bytes.fetch_add(own) + own > most_bytes_) {
      bytes.fetch_sub(own);
      return;
    }
    lists_[k] = worker.list;  // a copy has no slack
    is_kept_[k] = 1;
  });
  bytes_ = bytes;
}

std::size_t FeatureLists::kept_lists() const {
  return static_cast<std::size_t>(std::count(is_kept_.begin(), is_kept_.end(), 1));
}

void FeatureLists::renumber(const FeatureIndex& index, std::span<const std::uint32_t> numbers,
                            TaskPool& pool) {
  index_ = &index;
  std::atomic<std::size_t> bytes = 0;
  pool.for_each(lists_.size(), [&](std::size_t k, int) {
    if (is_kept_[k] == 0) return;
    FeatureList& list = lists_[k];
    std::vector<std::uint32_t> left;
    left.reserve(list.features.size());
    const std::uint32_t* feature = list.features.data();
    for (std::uint16_t& length : list.lengths) {
      const std::size_t before = left.size();
      for (const std::uint32_t* end = feature + length; feature != end; ++feature) {
        if (numbers[*feature] != FeatureTable::kAbsent) left.push_back(numbers[*feature]);
      }
      length = static_cast<std::uint16_t>(left.size() - before);
    }
    list.features.assign(left.begin(), left.end());
    list.features.shrink_to_fit();
    sizes_[k] = static_cast<std::uint32_t>(left.size());
    bytes += list.bytes();
  });
  bytes_ = bytes;
  make(pool);
}

}  // namespace copse
