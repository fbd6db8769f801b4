#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "network/lstm.h"
#include "network/parameters.h"
#include "network/training_matrix.h"

namespace copse {

struct TrainingForm {
  struct Affine {
    TrainingMatrix weights;
    std::span<const float> bias;
  };
  using Lstm = LstmWeights;
  using Bilinear = Affine;  // the bias is what heads score by themselves
  using Vector = std::span<const float>;
  struct Table {
    ConstMatrix rows;
    TrainingMatrix packed;  // of tables that products are made with
  };
};

// Weights as training passes read them: the large matrices in the precision and the order that products are
// quickest with. Made once for each step of the learner, shared by threads.
class TrainingWeights : public WeightSet<TrainingForm> {
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

 private:
  class Listing;
  struct Packed {
    TrainingMatrix* matrix = nullptr;
    const Block* block = nullptr;
    std::size_t rows = 0;  // the first ones of the block
  };
  struct Unpacked {
    TrainingMatrix* matrix = nullptr;
    const Block* block = nullptr;
  };
  struct Vectors {
    std::span<const float>* numbers = nullptr;
    const Block* block = nullptr;
    std::size_t row = 0;  // of the block
  };
  struct Rows {
    ConstMatrix* rows = nullptr;
    const Block* block = nullptr;
  };

  Precision precision_;
  std::span<const float> weights_;
  std::vector<Packed> packed_;  // the largest first
  std::vector<Unpacked> unpacked_;
  std::vector<Vectors> vectors_of_blocks_;
  std::vector<Rows> tables_;
  std::vector<std::pair<PackedMatrix*, std::size_t>> slices_;
};

}  // namespace copse
