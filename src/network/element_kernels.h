#pragma once

#include <cstddef>
#include <span>

#include "network/matrix_product.h"

namespace copse {

// What layers do to numbers one by one, and to rows. Sums have an order that depends on the sizes alone; what
// is computed for one number does not depend on its place.

// The slope of the leaky rectifier, max(x, slope x), below 0.
inline constexpr float kLeakySlope = 0.1F;
void leaky_relu(Matrix values);
// gradient *= the slope of the rectifier, which its result tells as well as its argument.
void leaky_relu_backward(ConstMatrix results, Matrix gradient);

void apply_sigmoid(std::span<float> values);
void apply_tanh(std::span<float> values);

// row += addend, row *= factors (a mask of dropout), for every row.
void add_to_rows(std::span<const float> addend, Matrix rows);
void multiply_rows(std::span<const float> factors, Matrix rows);
// sum += all rows, one after the other: the gradient of what add_to_rows() adds.
void add_rows_to(ConstMatrix rows, std::span<float> sum);

// to += factor * from; to *= from; values *= factor.
void add_scaled(std::span<const float> from, float factor, std::span<float> to);
void multiply_by(std::span<const float> from, std::span<float> to);
void scale(std::span<float> values, float factor);

double dot_product(std::span<const float> a, std::span<const float> b);
double sum_of_squares(std::span<const float> values);

// The logarithm of the sum of exp(score) over the scores of a row, one of which must be finite; minus
// infinity means impossible.
double log_sum_exp(std::span<const float> scores);
// The same; the scores become the probabilities exp(score) / sum.
double softmax(std::span<float> scores);
// weight times -log of the probability of `gold`; the scores become the gradient of that.
double softmax_loss(std::span<float> scores, std::size_t gold, float weight = 1.0F);
// Given probabilities p and d loss / d p in `gradient`, makes it d loss / d score: p (gradient - p ·
// gradient).
void softmax_backward(std::span<const float> probabilities, std::span<float> gradient);

}  // namespace copse
