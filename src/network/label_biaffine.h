#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/matrix_product.h"
#include "network/parameters.h"
#include "network/training_weights.h"

namespace copse {

// An arc between two rows of a batch.
struct RowArc {
  std::size_t head = 0;
  std::size_t modifier = 0;
};

// The scores of labels of an arc from what its modifier and the weights make of them, [label][size + 1]:
// those of each label are multiplied with the head's role, of `size` numbers, and 1.
void score_labels(const float* products, const float* head, std::size_t size, std::span<float> scores);

// Scores of labels of given arcs: for each label, a bilinear form of the roles of head and modifier. A
// workspace.
class LabelBiaffine {
 public:
  explicit LabelBiaffine(const NetworkShape& shape);

  // scores: [arc][label].
  void score(ConstMatrix roles, const TrainingWeights& weights, std::span<const RowArc> arcs, Matrix scores);

  // The sum of - log P(label | arc), times `weight`. Adds the gradients.
  double loss(ConstMatrix roles, const TrainingWeights& weights, std::span<const RowArc> arcs,
              std::span<const std::uint32_t> gold, float weight, Matrix role_gradient,
              std::span<float> gradients);

 private:
  // So many arcs are worked on at a time that what is kept of them stays in the cache.
  std::size_t arcs_at_a_time() const;
  // Sets modifiers_ and products_ for some arcs.
  void multiply_modifiers(ConstMatrix roles, const TrainingWeights& weights, std::span<const RowArc> arcs);
  void score_products(ConstMatrix roles, std::span<const RowArc> arcs, Matrix scores) const;

  RoleColumns columns_;
  NetworkBlocks blocks_;
  std::size_t labels_;
  std::size_t size_;              // label_size
  std::vector<float> modifiers_;  // [arc][label_size]
  std::vector<float> products_;   // [arc][label][label_size + 1]
  std::vector<float> scores_;     // [arc][label]
};

}  // namespace copse
