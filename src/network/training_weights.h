#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "network/lstm.h"
#include "network/parameters.h"
#include "network/training_matrix.h"

namespace copse {

// Weights as training passes read them: the large matrices in the precision and the order that products are
// quickest with. Made once for each step of the learner, shared by threads.
class TrainingWeights {
 public:
  // Borrows the blocks.
  explicit TrainingWeights(const NetworkBlocks& blocks, Precision precision = Precision::float32);
  TrainingWeights(const TrainingWeights&) = delete;
  TrainingWeights& operator=(const TrainingWeights&) = delete;

  // Calls a function for all numbers below a count, in any order and by any threads; see
  // TaskPool::for_each().
  using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;
  // Borrows the weights, and packs.
  void assign(std::span<const float> weights, const ForEach& for_each);
  void assign(std::span<const float> weights);

  std::span<const float> all() const { return weights_; }
  const LstmWeights& layer(std::size_t number) const { return layers_[number]; }
  const LstmWeights& characters() const { return layers_.back(); }
  const TrainingMatrix& roles() const { return roles_; }
  const TrainingMatrix& arcs() const { return arcs_; }      // without the row of heads by themselves
  const TrainingMatrix& labels() const { return labels_; }  // the same
  const TrainingMatrix& tags() const { return tags_; }
  // Of networks that guess hidden words; words() is the table of all of them.
  const TrainingMatrix& guess() const { return guess_; }
  const TrainingMatrix& words() const { return words_; }

 private:
  struct Part {
    TrainingMatrix* matrix = nullptr;
    const Block* block = nullptr;
    std::size_t rows = 0;  // the first ones of the block
  };
  void add(TrainingMatrix& matrix, const Block& block, std::size_t rows);

  const NetworkBlocks* blocks_;
  Precision precision_;
  std::span<const float> weights_;
  std::vector<LstmWeights> layers_;  // of the encoder, then of characters
  TrainingMatrix roles_, arcs_, labels_, tags_, guess_, words_;
  std::vector<Part> parts_;  // the largest first
  std::vector<std::pair<PackedMatrix*, std::size_t>> slices_;
};

}  // namespace copse
