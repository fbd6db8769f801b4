#include "vectors/skip_gram_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/skip_gram_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using RowFloats = hn::CappedTag<float, kRowPadding>;

void mean_of_rows_any(const float* matrix, std::size_t stride, std::span<const std::uint32_t> rows,
                      float* mean) {
  const RowFloats d;
  const auto factor = hn::Set(d, 1.0F / static_cast<float>(rows.size()));
  for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
    auto sum = hn::LoadU(d, matrix + rows[0] * stride + k);
    for (std::size_t row = 1; row < rows.size(); ++row) {
      sum = hn::Add(sum, hn::LoadU(d, matrix + rows[row] * stride + k));
    }
    hn::StoreU(hn::Mul(sum, factor), d, mean + k);
  }
}

HWY_INLINE float score_of(const float* a, const float* b, std::size_t stride) {
  const RowFloats d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

float predict_any(const Predictions& predictions, const float* hidden, float* coefficients, float* gradient) {
  const RowFloats d;
  const std::span<const std::uint32_t> rows = predictions.rows;
  const std::size_t stride = predictions.stride;
  const std::size_t padded = (rows.size() + kRowPadding - 1) / kRowPadding * kRowPadding;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    coefficients[k] = score_of(predictions.matrix + rows[k] * stride, hidden, stride);
  }
  for (std::size_t k = rows.size(); k < padded; ++k) coefficients[k] = 0.0F;
  const auto one = hn::Set(d, 1.0F);
  auto loss = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    const auto score = hn::LoadU(d, coefficients + k);
    const auto label = hn::LoadU(d, predictions.labels + k);
    const auto weight = hn::LoadU(d, predictions.weights + k);
    // exp(-|score|) never overflows.
    const auto small = hn::Exp(d, hn::Neg(hn::Abs(score)));
    const auto larger = hn::Div(one, hn::Add(one, small));  // of p and 1 - p
    const auto probability = hn::IfThenElse(hn::Ge(score, hn::Zero(d)), larger, hn::Sub(one, larger));
    // log(1 + exp(score)) - label * score
    const auto softplus = hn::Add(hn::Max(score, hn::Zero(d)), hn::Log1p(d, small));
    loss = hn::MulAdd(weight, hn::NegMulAdd(label, score, softplus), loss);
    hn::StoreU(hn::Mul(weight, hn::Sub(label, probability)), d, coefficients + k);
  }
  for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      sum = hn::MulAdd(hn::Set(d, coefficients[row]),
                       hn::LoadU(d, predictions.matrix + rows[row] * stride + k), sum);
    }
    hn::StoreU(sum, d, gradient + k);
  }
  return hn::GetLane(hn::SumOfLanes(d, loss));
}

void add_scaled_rows_any(float* matrix, std::size_t stride, std::span<const RowUpdate> updates,
                         const float* source) {
  const RowFloats d;
  constexpr std::size_t kAhead = 6;
  for (std::size_t number = 0; number < updates.size(); ++number) {
    if (number + kAhead < updates.size()) {
      const float* later = matrix + updates[number + kAhead].row * stride;
      for (std::size_t k = 0; k < stride; k += kRowPadding) __builtin_prefetch(later + k);
    }
    const RowUpdate& update = updates[number];
    float* to = matrix + update.row * stride;
    const float* from = source + update.source * stride;
    const auto factor = hn::Set(d, update.factor);
    for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
      hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, from + k), hn::LoadU(d, to + k)), d, to + k);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(mean_of_rows_any);
HWY_EXPORT(predict_any);
HWY_EXPORT(add_scaled_rows_any);

void mean_of_rows(const float* matrix, std::size_t stride, std::span<const std::uint32_t> rows, float* mean) {
  HWY_DYNAMIC_DISPATCH(mean_of_rows_any)(matrix, stride, rows, mean);
}

float predict(const Predictions& predictions, const float* hidden, float* coefficients, float* gradient) {
  return HWY_DYNAMIC_DISPATCH(predict_any)(predictions, hidden, coefficients, gradient);
}

void add_scaled_rows(float* matrix, std::size_t stride, std::span<const RowUpdate> updates,
                     const float* source) {
  HWY_DYNAMIC_DISPATCH(add_scaled_rows_any)(matrix, stride, updates, source);
}

}  // namespace copse
#endif
