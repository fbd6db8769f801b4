#include "network/adam_kernels.h"

#include <cmath>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/adam_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "network/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void update(const AdamState& state, const AdamStep& step) {
  const FloatLanes d;
  const FloatVector beta1 = hn::Set(d, step.beta1);
  const FloatVector beta2 = hn::Set(d, step.beta2);
  const FloatVector rest1 = hn::Set(d, 1.0F - step.beta1);
  const FloatVector rest2 = hn::Set(d, 1.0F - step.beta2);
  const FloatVector gradient_scale = hn::Set(d, step.gradient_scale);
  const FloatVector rate = hn::Set(d, step.rate * step.first_correction);
  const FloatVector second_correction = hn::Set(d, step.second_correction);
  const FloatVector epsilon = hn::Set(d, step.epsilon);
  const FloatVector decay = hn::Set(d, step.rate * step.weight_decay);
  const FloatVector average_rest = hn::Set(d, 1.0F - step.average_decay);
  for_each_vector(state.weights.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const FloatVector gradient = hn::Mul(vector.load(state.gradient.data() + k), gradient_scale);
    const FloatVector first =
        hn::MulAdd(beta1, vector.load(state.first_moments.data() + k), hn::Mul(rest1, gradient));
    const FloatVector second = hn::MulAdd(beta2, vector.load(state.second_moments.data() + k),
                                          hn::Mul(hn::Mul(rest2, gradient), gradient));
    const FloatVector size = hn::Add(hn::Sqrt(hn::Mul(second, second_correction)), epsilon);
    const FloatVector change = hn::Div(hn::Mul(rate, first), size);
    const FloatVector weights = hn::NegMulAdd(decay, vector.load(state.weights.data() + k),
                                              hn::Sub(vector.load(state.weights.data() + k), change));
    vector.store(first, state.first_moments.data() + k);
    vector.store(second, state.second_moments.data() + k);
    vector.store(weights, state.weights.data() + k);
    if (!state.average.empty()) {
      const FloatVector average = vector.load(state.average.data() + k);
      vector.store(hn::MulAdd(average_rest, hn::Sub(weights, average), average), state.average.data() + k);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(update);

void AdamStep::set_time(long t) {
  const auto correction = [&](float beta) {
    return static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(beta), static_cast<double>(t))));
  };
  first_correction = correction(beta1);
  second_correction = correction(beta2);
}

void adam_update(const AdamState& state, const AdamStep& step) {
  const std::size_t size = state.weights.size();
  if (state.gradient.size() != size || state.first_moments.size() != size ||
      state.second_moments.size() != size || (!state.average.empty() && state.average.size() != size)) {
    throw std::invalid_argument("Adam's arrays differ in length");
  }
  HWY_DYNAMIC_DISPATCH(update)(state, step);
}

}  // namespace copse
#endif
