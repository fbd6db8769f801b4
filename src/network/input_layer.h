#pragma once

#include <span>
#include <vector>

#include "network/character_layer.h"
#include "network/gradients.h"
#include "network/parameters.h"
#include "network/random.h"
#include "network/word_inputs.h"

namespace copse {

// A factor for each group of columns of a row of inputs: 0 with the probability `rate`, the others more than
// 1 then. There are kInputGroups for each row, of which the first `groups` are used.
inline constexpr std::size_t kInputGroups = 3;
std::size_t input_groups(const NetworkShape& shape);
void draw_group_factors(std::size_t groups, float rate, Random& random, std::span<float> factors);

// From what a network reads of words to the input of its encoder, in training. A workspace.
//
// The input of a word consists of groups of columns: its form (what is learnt of it, plus what given vectors
// say), its spelling, and its tags.
class InputLayer {
 public:
  // Borrows all of them; no vectors: null.
  InputLayer(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors)
      : shape_(&shape), blocks_(&blocks), vectors_(vectors), character_layer_(blocks) {}

  // `characters` is what TrainingWeights::characters() gives, for words that are read by them.
  void forward(const WordInputs& inputs, std::span<const float> weights, const LstmWeights& characters,
               Matrix output);
  // After forward(), one of these or none, with the same output: leaves out groups with the probability
  // `rate`, word by word, the others counting for more then; or multiplies all groups of a word by a factor.
  void leave_out_groups(float rate, Random& random, Matrix output);
  void scale_words(std::span<const float> factors, Matrix output);
  // Adds to gradients. Of the last forward() and what came after it; changes `output_gradient`.
  void backward(const WordInputs& inputs, std::span<const float> weights, const LstmWeights& characters,
                Matrix output_gradient, Gradients& gradients);

 private:
  void look_up(const WordInputs& inputs, std::span<const float> weights, Matrix output);
  void read_affixes(const WordInputs& inputs, std::span<const float> weights, Matrix output);
  void affixes_backward(const WordInputs& inputs, std::span<const float> weights, Matrix spelling_gradient,
                        Gradients& gradients);
  void scale_groups(Matrix rows) const;
  Columns group(std::size_t number) const;

  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  const WordVectors* vectors_;
  CharacterLayer character_layer_;
  std::vector<float> vector_rows_;
  std::vector<float> affix_rows_;
  std::vector<float> spellings_;  // after the rectifier
  std::vector<float> gradient_rows_;
  std::vector<float> factors_;  // [row][group]; empty: all are 1
};

}  // namespace copse
