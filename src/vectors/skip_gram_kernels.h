#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

// Rows of floats are padded with zeros to a multiple of kRowPadding.
inline constexpr std::size_t kRowPadding = 16;

// Sets `mean` to that of some rows of a matrix, at least one.
void mean_of_rows(const float* matrix, std::size_t stride, std::span<const std::uint32_t> rows, float* mean);

// The words that one word is to predict: their rows in a matrix; 1 for those that stand around it and 0 for
// others; and the weights of their losses.
struct Predictions {
  const float* matrix;
  std::size_t stride;
  std::span<const std::uint32_t> rows;
  const float* labels;   // as long as rows, then readable up to a multiple of kRowPadding
  const float* weights;  // likewise
};

// The loss: sum over k of weight[k] * -log(label[k] == 1 ? p[k] : 1 - p[k]), p[k] = 1 / (1 + exp(-hidden *
// row[k])). Sets coefficients[k] = weight[k] (label[k] - p[k]), with room up to a multiple of kRowPadding:
// times `hidden`, that is minus the gradient by row[k]. Sets `gradient` to minus that by `hidden`.
float predict(const Predictions& predictions, const float* hidden, float* coefficients, float* gradient);

// row[update.row] += update.factor * source[update.source], in order.
struct RowUpdate {
  std::uint32_t row;
  std::uint32_t source;
  float factor;
};
void add_scaled_rows(float* matrix, std::size_t stride, std::span<const RowUpdate> updates,
                     const float* source);

}  // namespace copse
