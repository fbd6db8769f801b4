#include "network/character_layer.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {

void CharacterLayer::forward(const WordInputs& inputs, std::span<const float> weights,
                             const LstmWeights& lstm_weights, Matrix spellings) {
  spellings_.assign(inputs);
  const Sequences& sequences = spellings_.sequences();
  const ConstMatrix table = blocks_->character_table.in(weights);
  characters_.resize(sequences.rows() * table.columns);
  for (std::size_t row = 0; row < sequences.rows(); ++row) {
    std::copy_n(table.row(spellings_.characters()[row]), table.columns, &characters_[row * table.columns]);
  }
  output_.resize(sequences.rows() * spellings.columns);
  const Matrix output(output_.data(), sequences.rows(), spellings.columns);
  lstm_.forward(sequences, ConstMatrix(characters_.data(), sequences.rows(), table.columns), lstm_weights,
                output);
  const std::size_t hidden = spellings.columns / 2;
  for (std::size_t row = 0; row < spellings.rows; ++row) {
    const std::size_t own = spellings_.sequence(row);
    std::copy_n(output.row(sequences.end(own) - 1), hidden, spellings.row(row));
    std::copy_n(output.row(sequences.begin(own)) + hidden, hidden, spellings.row(row) + hidden);
  }
}

void CharacterLayer::backward(const LstmWeights& lstm_weights, ConstMatrix spelling_gradient,
                              Gradients& gradients) {
  const Sequences& sequences = spellings_.sequences();
  const std::size_t columns = spelling_gradient.columns;
  const std::size_t hidden = columns / 2;
  output_gradient_.assign(sequences.rows() * columns, 0.0F);
  const Matrix output_gradient(output_gradient_.data(), sequences.rows(), columns);
  for (std::size_t row = 0; row < spelling_gradient.rows; ++row) {
    const std::size_t own = spellings_.sequence(row);
    const float* from = spelling_gradient.row(row);
    add_scaled({from, hidden}, 1.0F, {output_gradient.row(sequences.end(own) - 1), hidden});
    add_scaled({from + hidden, hidden}, 1.0F, {output_gradient.row(sequences.begin(own)) + hidden, hidden});
  }
  const std::size_t size = blocks_->character_table.columns;
  character_gradient_.resize(characters_.size());
  const Matrix character_gradient(character_gradient_.data(), sequences.rows(), size);
  lstm_.backward(sequences, ConstMatrix(characters_.data(), sequences.rows(), size),
                 ConstMatrix(output_.data(), sequences.rows(), columns), output_gradient, lstm_weights,
                 LstmGradients(blocks_->characters, gradients.dense()), character_gradient);
  for (std::size_t row = 0; row < sequences.rows(); ++row) {
    add_scaled({character_gradient.row(row), size}, 1.0F,
               gradients.row(blocks_->character_table, spellings_.characters()[row]));
  }
}

}  // namespace copse
