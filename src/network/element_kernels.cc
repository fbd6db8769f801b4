#include "network/element_kernels.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/element_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "network/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void leaky_relu_rows(Matrix values) {
  const FloatVector slope = hn::Set(FloatLanes(), kLeakySlope);
  for (std::size_t r = 0; r < values.rows; ++r) {
    float* row = values.row(r);
    for_each_vector(values.columns, [&](auto vector, std::size_t k) HWY_ATTR {
      const FloatVector x = vector.load(row + k);
      vector.store(hn::IfThenElse(hn::Lt(x, hn::Zero(FloatLanes())), hn::Mul(x, slope), x), row + k);
    });
  }
}

void leaky_relu_backward_rows(ConstMatrix results, Matrix gradient) {
  const FloatVector slope = hn::Set(FloatLanes(), kLeakySlope);
  for (std::size_t r = 0; r < gradient.rows; ++r) {
    const float* result = results.row(r);
    float* row = gradient.row(r);
    for_each_vector(gradient.columns, [&](auto vector, std::size_t k) HWY_ATTR {
      const FloatVector g = vector.load(row + k);
      const auto is_below = hn::Lt(vector.load(result + k), hn::Zero(FloatLanes()));
      vector.store(hn::IfThenElse(is_below, hn::Mul(g, slope), g), row + k);
    });
  }
}

void sigmoid_all(std::span<float> values) {
  for_each_vector(values.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    vector.store(sigmoid(vector.load(values.data() + k)), values.data() + k);
  });
}

void tanh_all(std::span<float> values) {
  for_each_vector(values.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    vector.store(tanh(vector.load(values.data() + k)), values.data() + k);
  });
}

void add_to(const float* from, std::size_t size, float* to) {
  for_each_vector(size, [&](auto vector, std::size_t k) HWY_ATTR {
    vector.store(hn::Add(vector.load(to + k), vector.load(from + k)), to + k);
  });
}

void multiply_to(const float* from, std::size_t size, float* to) {
  for_each_vector(size, [&](auto vector, std::size_t k) HWY_ATTR {
    vector.store(hn::Mul(vector.load(to + k), vector.load(from + k)), to + k);
  });
}

void add_to_all(std::span<const float> addend, Matrix rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) add_to(addend.data(), rows.columns, rows.row(r));
}

void multiply_all(std::span<const float> factors, Matrix rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) multiply_to(factors.data(), rows.columns, rows.row(r));
}

void add_all_to(ConstMatrix rows, std::span<float> sum) {
  for (std::size_t r = 0; r < rows.rows; ++r) add_to(rows.row(r), rows.columns, sum.data());
}

void add_scaled_all(std::span<const float> from, float factor, std::span<float> to) {
  const FloatVector factors = hn::Set(FloatLanes(), factor);
  for_each_vector(to.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const FloatVector sum = hn::MulAdd(factors, vector.load(from.data() + k), vector.load(to.data() + k));
    vector.store(sum, to.data() + k);
  });
}

void scale_all(std::span<float> values, float factor) {
  const FloatVector factors = hn::Set(FloatLanes(), factor);
  for_each_vector(values.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    vector.store(hn::Mul(vector.load(values.data() + k), factors), values.data() + k);
  });
}

// Eight sums of doubles side by side on every target.
double dot_of(std::span<const float> a, std::span<const float> b) {
  using Doubles = hn::CappedTag<double, 8>;
  using Halves = hn::Rebind<float, Doubles>;
  constexpr std::size_t kLanes = hn::MaxLanes(Doubles());
  constexpr std::size_t kParts = 8 / kLanes;
  const Doubles d;
  hn::Vec<Doubles> sums[kParts];
  for (auto& sum : sums) sum = hn::Zero(d);
  const auto add = [&](const float* left, const float* right) HWY_ATTR {
    for (std::size_t p = 0; p < kParts; ++p) {
      const auto x = hn::PromoteTo(d, hn::LoadU(Halves(), left + p * kLanes));
      const auto y = hn::PromoteTo(d, hn::LoadU(Halves(), right + p * kLanes));
      sums[p] = hn::MulAdd(x, y, sums[p]);
    }
  };
  std::size_t k = 0;
  for (; k + 8 <= a.size(); k += 8) add(a.data() + k, b.data() + k);
  if (k < a.size()) {
    float last_a[8] = {};
    float last_b[8] = {};
    std::memcpy(last_a, a.data() + k, (a.size() - k) * sizeof(float));
    std::memcpy(last_b, b.data() + k, (a.size() - k) * sizeof(float));
    add(last_a, last_b);
  }
  double lanes[8];
  for (std::size_t p = 0; p < kParts; ++p) hn::StoreU(sums[p], d, lanes + p * kLanes);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Calls use(block) for every sixteen numbers of a row; the last block is filled up with `padding`. Stores
// them back if the row may be written.
template <class Number, class Use>
HWY_INLINE void for_each_block(std::span<Number> row, float padding, Use use) {
  std::size_t k = 0;
  for (; k + kSumLanes <= row.size(); k += kSumLanes) use(row.data() + k);
  if (k == row.size()) return;
  float block[kSumLanes];
  for (float& number : block) number = padding;
  const std::size_t size = (row.size() - k) * sizeof(float);
  std::memcpy(block, row.data() + k, size);
  use(static_cast<Number*>(block));
  if constexpr (!std::is_const_v<Number>) std::memcpy(row.data() + k, block, size);
}

// Row may be of const numbers; otherwise the scores become exp(score - largest). Sets `sum` to the sum of
// these, and returns the largest score.
template <class Number>
HWY_INLINE float exponentials(std::span<Number> scores, float* sum) {
  constexpr float kImpossible = -std::numeric_limits<float>::infinity();
  const FloatLanes d;
  constexpr std::size_t kParts = kSumLanes / kFloatLanes;
  SixteenSums largest;
  largest.set(kImpossible);
  for_each_block(std::span<const float>(scores), kImpossible, [&](const float* block) HWY_ATTR {
    for (std::size_t p = 0; p < kParts; ++p) {
      largest.part[p] = hn::Max(largest.part[p], hn::LoadU(d, block + p * kFloatLanes));
    }
  });
  const float top = largest.largest();
  const FloatVector tops = hn::Set(d, top);
  SixteenSums sums;
  sums.set(0.0F);
  for_each_block(scores, kImpossible, [&](Number* block) HWY_ATTR {
    for (std::size_t p = 0; p < kParts; ++p) {
      const FloatVector e = exp_of_nonpositive(hn::Sub(hn::LoadU(d, block + p * kFloatLanes), tops));
      if constexpr (!std::is_const_v<Number>) hn::StoreU(e, d, block + p * kFloatLanes);
      sums.part[p] = hn::Add(sums.part[p], e);
    }
  });
  *sum = sums.total();
  return top;
}

float exponentials_of(std::span<const float> scores, float* sum) { return exponentials(scores, sum); }
float make_exponentials(std::span<float> scores, float* sum) { return exponentials(scores, sum); }

void softmax_back(std::span<const float> probabilities, float mean, std::span<float> gradient) {
  const FloatVector means = hn::Set(FloatLanes(), mean);
  for_each_vector(gradient.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const FloatVector difference = hn::Sub(vector.load(gradient.data() + k), means);
    vector.store(hn::Mul(vector.load(probabilities.data() + k), difference), gradient.data() + k);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {
namespace {

void check_sizes(bool are_same) {
  if (!are_same) throw std::invalid_argument("rows of different lengths");
}

}  // namespace

HWY_EXPORT(leaky_relu_rows);
HWY_EXPORT(leaky_relu_backward_rows);
HWY_EXPORT(sigmoid_all);
HWY_EXPORT(tanh_all);
HWY_EXPORT(multiply_to);
HWY_EXPORT(add_to_all);
HWY_EXPORT(multiply_all);
HWY_EXPORT(add_all_to);
HWY_EXPORT(add_scaled_all);
HWY_EXPORT(scale_all);
HWY_EXPORT(dot_of);
HWY_EXPORT(exponentials_of);
HWY_EXPORT(make_exponentials);
HWY_EXPORT(softmax_back);

void leaky_relu(Matrix values) { HWY_DYNAMIC_DISPATCH(leaky_relu_rows)(values); }

void leaky_relu_backward(ConstMatrix results, Matrix gradient) {
  check_sizes(results.rows == gradient.rows && results.columns == gradient.columns);
  HWY_DYNAMIC_DISPATCH(leaky_relu_backward_rows)(results, gradient);
}

void apply_sigmoid(std::span<float> values) { HWY_DYNAMIC_DISPATCH(sigmoid_all)(values); }
void apply_tanh(std::span<float> values) { HWY_DYNAMIC_DISPATCH(tanh_all)(values); }

void add_to_rows(std::span<const float> addend, Matrix rows) {
  check_sizes(addend.size() == rows.columns);
  HWY_DYNAMIC_DISPATCH(add_to_all)(addend, rows);
}

void multiply_rows(std::span<const float> factors, Matrix rows) {
  check_sizes(factors.size() == rows.columns);
  HWY_DYNAMIC_DISPATCH(multiply_all)(factors, rows);
}

void add_rows_to(ConstMatrix rows, std::span<float> sum) {
  check_sizes(sum.size() == rows.columns);
  HWY_DYNAMIC_DISPATCH(add_all_to)(rows, sum);
}

void add_scaled(std::span<const float> from, float factor, std::span<float> to) {
  check_sizes(from.size() == to.size());
  HWY_DYNAMIC_DISPATCH(add_scaled_all)(from, factor, to);
}

void multiply_by(std::span<const float> from, std::span<float> to) {
  check_sizes(from.size() == to.size());
  HWY_DYNAMIC_DISPATCH(multiply_to)(from.data(), to.size(), to.data());
}

void scale(std::span<float> values, float factor) { HWY_DYNAMIC_DISPATCH(scale_all)(values, factor); }

double dot_product(std::span<const float> a, std::span<const float> b) {
  check_sizes(a.size() == b.size());
  return HWY_DYNAMIC_DISPATCH(dot_of)(a, b);
}

double sum_of_squares(std::span<const float> values) { return dot_product(values, values); }

double log_sum_exp(std::span<const float> scores) {
  float sum = 0.0F;
  const float largest = HWY_DYNAMIC_DISPATCH(exponentials_of)(scores, &sum);
  return largest + std::log(static_cast<double>(sum));
}

double softmax(std::span<float> scores) {
  float sum = 0.0F;
  const float largest = HWY_DYNAMIC_DISPATCH(make_exponentials)(scores, &sum);
  scale(scores, 1.0F / sum);
  return largest + std::log(static_cast<double>(sum));
}

double softmax_loss(std::span<float> scores, std::size_t gold, float weight) {
  const double gold_score = scores[gold];
  float sum = 0.0F;
  const float largest = HWY_DYNAMIC_DISPATCH(make_exponentials)(scores, &sum);
  scale(scores, weight / sum);
  scores[gold] -= weight;
  return weight * (largest + std::log(static_cast<double>(sum)) - gold_score);
}

void softmax_backward(std::span<const float> probabilities, std::span<float> gradient) {
  const double mean = dot_product(probabilities, gradient);
  HWY_DYNAMIC_DISPATCH(softmax_back)(probabilities, static_cast<float>(mean), gradient);
}

}  // namespace copse
#endif
