#include "pretraining/masked_word_loss.h"

#include <algorithm>
#include <cmath>

#include "network/element_kernels.h"

namespace copse {
namespace {

// Hidden words whose scores are computed together: as many numbers as there are words for each of them.
constexpr std::size_t kWordsAtOnce = 64;

Matrix sized(std::vector<float>& values, std::size_t rows, std::size_t columns) {
  values.resize(rows * columns);
  return {values.data(), rows, columns};
}

}  // namespace

double MaskedWordLoss::run(std::span<const std::size_t> examples, const TrainingWeights& weights,
                           std::uint64_t seed, Gradients& gradients) {
  gradients.clear();
  Random random(seed);
  double loss = 0.0;
  for (const std::size_t number : examples) {
    const MaskedBatch& batch = batches_[number];
    plan_.draw(blocks_->shape, batch.sequences, dropout_, random, batch.kept);
    const ConstMatrix output = encoder_.forward(batch.inputs, batch.sequences, weights, plan_);
    if (batch.hidden_rows.empty()) continue;
    loss += guess(batch, output, weights, gradients);
    if (!std::isfinite(loss)) return loss;
    const Matrix output_gradient = sized(output_gradient_, output.rows, output.columns);
    std::fill(output_gradient_.begin(), output_gradient_.end(), 0.0F);
    for (std::size_t k = 0; k < batch.hidden_rows.size(); ++k) {
      std::copy_n(&hidden_gradient_[k * output.columns], output.columns,
                  output_gradient.row(batch.hidden_rows[k]));
    }
    encoder_.backward(weights, output_gradient, gradients);
  }
  return loss;
}

// Sets the gradient by the encoder's output at hidden words.
double MaskedWordLoss::guess(const MaskedBatch& batch, ConstMatrix output, const TrainingWeights& weights,
                             Gradients& gradients) {
  const std::size_t words = batch.hidden_rows.size();
  const std::size_t size = blocks_->word_table.columns;
  const Matrix hidden = sized(hidden_, words, output.columns);
  for (std::size_t k = 0; k < words; ++k) {
    std::copy_n(output.row(batch.hidden_rows[k]), output.columns, hidden.row(k));
  }
  const Matrix rectified = sized(rectified_, words, size);
  weights.guess.affine.weights.multiply(hidden, rectified);
  add_to_rows(weights.all().subspan(blocks_->guess.affine.bias.offset, size), rectified);
  leaky_relu(rectified);
  normalise(weights);
  const double loss = lose(batch.gold, weights, gradients);
  normalise_backward(weights, gradients);
  const Matrix gradient(query_gradient_.data(), words, size);
  leaky_relu_backward(rectified, gradient);
  weights.guess.affine.weights.differentiate_weights(hidden, gradient,
                                                     blocks_->guess.affine.weights.in(gradients.dense()));
  add_rows_to(gradient, gradients.dense().subspan(blocks_->guess.affine.bias.offset, size));
  weights.guess.affine.weights.differentiate_rows(gradient, sized(hidden_gradient_, words, output.columns));
  return loss;
}

void MaskedWordLoss::normalise(const TrainingWeights& weights) {
  const std::size_t size = blocks_->word_table.columns;
  const std::size_t words = rectified_.size() / size;
  const std::span<const float> gain = weights.all().subspan(blocks_->guess.gain.offset, size);
  const std::span<const float> shift = weights.all().subspan(blocks_->guess.shift.offset, size);
  normal_.resize(rectified_.size());
  queries_.resize(rectified_.size());
  deviations_.resize(words);
  for (std::size_t word = 0; word < words; ++word) {
    const std::span<const float> values = std::span(rectified_).subspan(word * size, size);
    double sum = 0.0;
    for (const float value : values) sum += value;
    const auto mean = static_cast<float>(sum / static_cast<double>(size));
    double squares = 0.0;
    for (const float value : values) squares += static_cast<double>(value - mean) * (value - mean);
    const auto variance = static_cast<float>(squares / static_cast<double>(size));
    deviations_[word] = 1.0F / std::sqrt(variance + kVarianceFloor);
    for (std::size_t k = 0; k < size; ++k) {
      const float normal = (values[k] - mean) * deviations_[word];
      normal_[word * size + k] = normal;
      queries_[word * size + k] = gain[k] * normal + shift[k];
    }
  }
}

// The gradient by y becomes that by x.
void MaskedWordLoss::normalise_backward(const TrainingWeights& weights, Gradients& gradients) {
  const std::size_t size = blocks_->word_table.columns;
  const std::span<const float> gain = weights.all().subspan(blocks_->guess.gain.offset, size);
  const std::span<float> gain_gradient = gradients.dense().subspan(blocks_->guess.gain.offset, size);
  const std::span<float> shift_gradient = gradients.dense().subspan(blocks_->guess.shift.offset, size);
  for (std::size_t word = 0; word < deviations_.size(); ++word) {
    const std::span<const float> normal = std::span(normal_).subspan(word * size, size);
    const std::span<float> gradient = std::span(query_gradient_).subspan(word * size, size);
    double sum = 0.0;
    double product = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      gain_gradient[k] += gradient[k] * normal[k];
      shift_gradient[k] += gradient[k];
      gradient[k] *= gain[k];
      sum += gradient[k];
      product += static_cast<double>(gradient[k]) * normal[k];
    }
    const auto mean = static_cast<float>(sum / static_cast<double>(size));
    const auto slope = static_cast<float>(product / static_cast<double>(size));
    for (std::size_t k = 0; k < size; ++k) {
      gradient[k] = deviations_[word] * (gradient[k] - mean - slope * normal[k]);
    }
  }
}

// Sets the gradient by y.
double MaskedWordLoss::lose(std::span<const std::uint32_t> gold, const TrainingWeights& weights,
                            Gradients& gradients) {
  const std::size_t size = blocks_->word_table.columns;
  const std::size_t vocabulary = blocks_->word_table.rows;
  const std::span<const float> bias = weights.all().subspan(blocks_->guess.word_bias.offset, vocabulary);
  query_gradient_.resize(queries_.size());
  double loss = 0.0;
  for (std::size_t begin = 0; begin < gold.size(); begin += kWordsAtOnce) {
    const std::size_t words = std::min(kWordsAtOnce, gold.size() - begin);
    const ConstMatrix queries(&queries_[begin * size], words, size);
    const Matrix scores = sized(scores_, words, vocabulary);
    // The table is [word][number], so products with its rows are what gradients of rows are otherwise.
    weights.word_table.packed.differentiate_rows(queries, scores);
    add_to_rows(bias, scores);
    for (std::size_t k = 0; k < words; ++k) {
      loss += softmax_loss({scores.row(k), vocabulary}, gold[begin + k]);
    }
    weights.word_table.packed.multiply(scores, Matrix(&query_gradient_[begin * size], words, size));
    weights.word_table.packed.differentiate_weights(scores, queries,
                                                    blocks_->word_table.in(gradients.dense()));
    add_rows_to(scores, gradients.dense().subspan(blocks_->guess.word_bias.offset, vocabulary));
  }
  return loss;
}

}  // namespace copse
