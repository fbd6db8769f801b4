#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/device_sequences.h"
#include "cuda/device_weights.h"
#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/tag_classifier.h"

namespace copse::cuda {

// Where the scores of one word's values of a column stand, and which of them is right.
struct TagPlace {
  std::uint32_t row, begin, size, value;
};

// What is made of words in their roles in training: the scores of arcs, and the losses of labels and tags.
// The losses of trees are computed elsewhere, from the scores of arcs and the roles.
class DeviceHeads {
 public:
  // Borrows all.
  DeviceHeads(const NetworkShape& shape, const NetworkBlocks& blocks, Products& products);

  // Scores of all arcs, [modifier][head] of one sentence after the other. Borrows the roles of all words
  // until the next call.
  const DeviceArray<float>& score_arcs(DeviceMatrix roles, const DeviceSequences& sequences, float* weights);

  // Begins the way back: the gradient of roles is zero. The next ones add to it.
  void begin_backward();
  DeviceMatrix role_gradient() { return {role_gradient_.data(), rows(), columns_.size}; }
  void add_label_losses(std::span<const RowArc> arcs, std::span<const std::uint32_t> gold, float weight,
                        DeviceWeights& weights);
  void add_tag_losses(std::span<const TagClassifier::Gold> gold, float weight, DeviceWeights& weights);
  // Given the gradient of the scores of arcs.
  void arcs_backward(const DeviceSequences& sequences, const DeviceArray<float>& score_gradient,
                     DeviceWeights& weights);

 private:
  std::size_t rows() const { return static_cast<std::size_t>(roles_.rows); }

  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  RoleColumns columns_;
  Products* products_;
  cudaStream_t stream_;
  DeviceMatrix roles_;
  DeviceArray<float> role_gradient_;
  DeviceArray<float> arc_products_, arc_product_gradient_, scores_;
  std::vector<std::int64_t> pair_begins_host_;
  DeviceArray<std::int64_t> pair_begins_;
  // Of labels, for some arcs.
  DeviceArray<std::uint32_t> label_heads_, label_modifiers_, label_gold_;
  DeviceArray<std::int32_t> arcs_of_head_, arcs_of_head_begins_;
  DeviceArray<float> label_modifier_rows_, label_products_, label_head_gradient_;
  DeviceArray<TagPlace> tag_gold_;
  std::vector<TagPlace> tag_gold_host_;
  DeviceArray<float> tag_scores_, tag_gradient_;
};

}  // namespace copse::cuda
