#include "network/input_layer.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {
namespace {

void add_row(ConstMatrix table, std::uint32_t number, float* to) {
  add_scaled({table.row(number), table.columns}, 1.0F, {to, table.columns});
}

void add_to_gradient(Gradients& gradients, const Block& table, std::uint32_t number, const float* from) {
  add_scaled({from, table.columns}, 1.0F, gradients.row(table, number));
}

}  // namespace

std::size_t input_groups(const NetworkShape& shape) { return shape.tags_size() > 0 ? 3 : 2; }

void draw_group_factors(std::size_t groups, float rate, Random& random, std::span<float> factors) {
  for (std::size_t row = 0; row < factors.size(); row += kInputGroups) {
    std::size_t kept = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      const bool stays = random.uniform() >= rate;
      factors[row + g] = stays ? 1.0F : 0.0F;
      kept += stays ? 1 : 0;
    }
    const float factor = static_cast<float>(groups) / static_cast<float>(std::max<std::size_t>(kept, 1));
    for (std::size_t g = 0; g < groups; ++g) factors[row + g] *= factor;
  }
}

Columns InputLayer::group(std::size_t number) const {
  const std::size_t spelling = shape_->word_size;
  const std::size_t tags = spelling + shape_->spelling_size;
  if (number == 0) return {0, shape_->word_size};
  if (number == 1) return {spelling, shape_->spelling_size};
  return {tags, shape_->tags_size()};
}

void InputLayer::forward(const WordInputs& inputs, std::span<const float> weights,
                         const LstmWeights& characters, Matrix output) {
  look_up(inputs, weights, output);
  if (shape_->spelling == Spelling::affixes) {
    read_affixes(inputs, weights, output);
  } else {
    character_layer_.forward(
        inputs, weights, characters,
        Matrix(output.data + shape_->word_size, inputs.rows(), shape_->spelling_size, output.stride));
  }
  factors_.clear();
}

void InputLayer::look_up(const WordInputs& inputs, std::span<const float> weights, Matrix output) {
  const std::size_t rows = inputs.rows();
  const Matrix forms(output.data, rows, shape_->word_size, output.stride);
  if (vectors_ != nullptr) {
    vector_rows_.assign(rows * shape_->vector_size, 0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
      if (inputs.vectors[row] < 0) continue;
      vectors_->copy_row(static_cast<std::size_t>(inputs.vectors[row]),
                         std::span(vector_rows_).subspan(row * shape_->vector_size, shape_->vector_size));
    }
    multiply(ConstMatrix(vector_rows_.data(), rows, shape_->vector_size),
             blocks_->vectors.weights.in(weights), forms);
    add_to_rows(weights.subspan(blocks_->vectors.bias.offset, shape_->word_size), forms);
  } else {
    for (std::size_t row = 0; row < rows; ++row) std::fill_n(forms.row(row), shape_->word_size, 0.0F);
  }
  const ConstMatrix words = blocks_->word_table.in(weights);
  const std::size_t tags = shape_->word_size + shape_->spelling_size;
  for (std::size_t row = 0; row < rows; ++row) {
    add_row(words, inputs.words[row], forms.row(row));
    float* to = output.row(row) + tags;
    std::fill_n(to, shape_->tags_size(), 0.0F);
    if (shape_->upos > 0) {
      add_row(blocks_->upos_table.in(weights), inputs.upos[row], to);
      to += shape_->tag_size;
    }
    if (shape_->xpos > 0) {
      add_row(blocks_->xpos_table.in(weights), inputs.xpos[row], to);
      to += shape_->tag_size;
    }
    for (std::uint32_t k = inputs.feature_begins[row]; k < inputs.feature_begins[row + 1]; ++k) {
      add_row(blocks_->feature_table.in(weights), inputs.features[k], to);
    }
  }
}

void InputLayer::read_affixes(const WordInputs& inputs, std::span<const float> weights, Matrix output) {
  const std::size_t rows = inputs.rows();
  const std::size_t width = kAffixes * shape_->affix_size;
  affix_rows_.resize(rows * width);
  const ConstMatrix table = blocks_->affix_table.in(weights);
  for (std::size_t k = 0; k < rows * kAffixes; ++k) {
    std::copy_n(table.row(inputs.affixes[k]), shape_->affix_size, &affix_rows_[k * shape_->affix_size]);
  }
  spellings_.resize(rows * shape_->spelling_size);
  const Matrix spellings(spellings_.data(), rows, shape_->spelling_size);
  multiply(ConstMatrix(affix_rows_.data(), rows, width), blocks_->affixes.weights.in(weights), spellings);
  add_to_rows(weights.subspan(blocks_->affixes.bias.offset, shape_->spelling_size), spellings);
  leaky_relu(spellings);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(spellings.row(row), shape_->spelling_size, output.row(row) + shape_->word_size);
  }
}

void InputLayer::leave_out_groups(float rate, Random& random, Matrix output) {
  factors_.assign(output.rows * kInputGroups, 1.0F);
  draw_group_factors(input_groups(*shape_), rate, random, factors_);
  scale_groups(output);
}

void InputLayer::scale_words(std::span<const float> factors, Matrix output) {
  factors_.resize(output.rows * kInputGroups);
  for (std::size_t row = 0; row < output.rows; ++row) {
    std::fill_n(factors_.begin() + static_cast<std::ptrdiff_t>(row * kInputGroups), kInputGroups,
                factors[row]);
  }
  scale_groups(output);
}

void InputLayer::scale_groups(Matrix rows) const {
  if (factors_.empty()) return;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    for (std::size_t g = 0; g < kInputGroups; ++g) {
      const Columns columns = group(g);
      scale({rows.row(row) + columns.begin, columns.size}, factors_[row * kInputGroups + g]);
    }
  }
}

void InputLayer::backward(const WordInputs& inputs, std::span<const float> weights,
                          const LstmWeights& characters, Matrix output_gradient, Gradients& gradients) {
  const std::size_t rows = inputs.rows();
  scale_groups(output_gradient);
  const ConstMatrix forms(output_gradient.data, rows, shape_->word_size, output_gradient.stride);
  if (vectors_ != nullptr) {
    multiply_by_transposed(ConstMatrix(vector_rows_.data(), rows, shape_->vector_size), forms,
                           blocks_->vectors.weights.in(gradients.dense()), Into::add);
    add_rows_to(forms, gradients.dense().subspan(blocks_->vectors.bias.offset, shape_->word_size));
  }
  const Matrix spellings(output_gradient.row(0) + shape_->word_size, rows, shape_->spelling_size,
                         output_gradient.stride);
  if (shape_->spelling == Spelling::affixes) {
    affixes_backward(inputs, weights, spellings, gradients);
  } else {
    character_layer_.backward(characters, spellings, gradients);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    add_to_gradient(gradients, blocks_->word_table, inputs.words[row], forms.row(row));
    const float* from = output_gradient.row(row) + shape_->word_size + shape_->spelling_size;
    if (shape_->upos > 0) {
      add_to_gradient(gradients, blocks_->upos_table, inputs.upos[row], from);
      from += shape_->tag_size;
    }
    if (shape_->xpos > 0) {
      add_to_gradient(gradients, blocks_->xpos_table, inputs.xpos[row], from);
      from += shape_->tag_size;
    }
    for (std::uint32_t k = inputs.feature_begins[row]; k < inputs.feature_begins[row + 1]; ++k) {
      add_to_gradient(gradients, blocks_->feature_table, inputs.features[k], from);
    }
  }
}

void InputLayer::affixes_backward(const WordInputs& inputs, std::span<const float> weights,
                                  Matrix spelling_gradient, Gradients& gradients) {
  const std::size_t rows = inputs.rows();
  leaky_relu_backward(ConstMatrix(spellings_.data(), rows, shape_->spelling_size), spelling_gradient);
  const std::size_t width = kAffixes * shape_->affix_size;
  multiply_by_transposed(ConstMatrix(affix_rows_.data(), rows, width), spelling_gradient,
                         blocks_->affixes.weights.in(gradients.dense()), Into::add);
  add_rows_to(spelling_gradient,
              gradients.dense().subspan(blocks_->affixes.bias.offset, shape_->spelling_size));
  gradient_rows_.resize(rows * width);
  multiply_transposed(spelling_gradient, blocks_->affixes.weights.in(weights),
                      Matrix(gradient_rows_.data(), rows, width));
  for (std::size_t k = 0; k < rows * kAffixes; ++k) {
    add_to_gradient(gradients, blocks_->affix_table, inputs.affixes[k],
                    &gradient_rows_[k * shape_->affix_size]);
  }
}

}  // namespace copse
