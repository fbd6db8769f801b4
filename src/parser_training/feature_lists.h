#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "model/hash_batches.h"
#include "parser_training/feature_index.h"
#include "parser_training/label_lists.h"

namespace copse {

// The numbered features of all tuples of a sentence, tuple after tuple.
struct FeatureList {
  std::vector<std::uint32_t> features;
  std::vector<std::uint16_t> lengths;  // per tuple: how many of the features are its own

  std::size_t bytes() const {
    return features.size() * sizeof(features[0]) + lengths.size() * sizeof(lengths[0]);
  }
};

// Makes feature lists: a workspace for one thread.
class FeatureLister {
 public:
  FeatureLister(const FeatureExtractor& extractor, const FeatureIndex& index)
      : extractor_(&extractor), index_(&index) {}

  // Overwrites `list`. Features without a number are left out.
  void list(const Sentence& sentence, const TupleIndex& tuples, FeatureList& list);

 private:
  const FeatureExtractor* extractor_;
  const FeatureIndex* index_;
  SentenceFeatures features_;
  HashBatches batches_;
};

// The features of a training set. Lists are kept from pass to pass, because making one takes longer than all
// that is done with it in a pass, but only as many as the memory that is granted can hold.
class FeatureLists {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  // Borrows all but the pool.
  FeatureLists(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
               const FeatureIndex& index, TaskPool& pool, std::size_t most_bytes = kUnlimited);

  std::size_t size() const { return lists_.size(); }
  std::span<const TrainingSentence> sentences() const { return sentences_; }
  const FeatureExtractor& extractor() const { return *extractor_; }
  const FeatureIndex& index() const { return *index_; }

  // Of a joint model: the labels of the same sentences. Borrowed.
  void set_labels(const LabelLists* labels) { labels_ = labels; }
  const LabelLists* labels() const { return labels_; }
  // How many weights there are: those of the index and, after them, those of labels.
  std::size_t weights() const { return index_->size() + (labels_ == nullptr ? 0 : labels_->index().size()); }

  // The list of a sentence, or nothing if it is not kept and must be made.
  const FeatureList* kept(std::size_t sentence) const {
    return is_kept_[sentence] != 0 ? &lists_[sentence] : nullptr;
  }
  // How many features the sentence has, counting repetitions.
  std::size_t features_of(std::size_t sentence) const { return sizes_[sentence]; }
  // Of all lists that are kept.
  std::size_t bytes() const { return bytes_; }
  std::size_t kept_lists() const;

  // Turns to another index, in which some of the features are left: `numbers` are their new numbers, kAbsent
  // for the others.
  void renumber(const FeatureIndex& index, std::span<const std::uint32_t> numbers, TaskPool& pool);

 private:
  // Makes the lists that are not kept, and keeps them while there is room.
  void make(TaskPool& pool);

  std::span<const TrainingSentence> sentences_;
  const FeatureExtractor* extractor_;
  const FeatureIndex* index_;
  const LabelLists* labels_ = nullptr;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<FeatureList> lists_;
  std::vector<std::uint8_t> is_kept_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace copse
