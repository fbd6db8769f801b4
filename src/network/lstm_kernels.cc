#include "network/lstm_kernels.h"

#include "network/quantised_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/lstm_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "network/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Gates {
  FloatVector i, f, g, o;
};

// The activated gates of the units from `k` on. `recurrent` may be null.
template <class Vector>
HWY_INLINE Gates activated(Vector vector, std::size_t hidden, std::size_t k, const float* input,
                           const float* recurrent) {
  const auto z = [&](std::size_t gate) HWY_ATTR {
    const std::size_t at = gate * hidden + k;
    const FloatVector part = vector.load(input + at);
    return recurrent == nullptr ? part : hn::Add(part, vector.load(recurrent + at));
  };
  return {sigmoid(z(0)), sigmoid(z(1)), tanh(z(2)), sigmoid(z(3))};
}

HWY_INLINE FloatVector next_cell(const Gates& gates, FloatVector cell) {
  return hn::MulAdd(gates.f, cell, hn::Mul(gates.i, gates.g));
}

void step(std::size_t hidden, std::span<const LstmStep> steps) {
  const FloatLanes d;
  const hn::Rebind<std::uint8_t, FloatLanes> bytes;
  const FloatVector levels = hn::Set(d, kBoundedLevels);
  const FloatVector middle = hn::Set(d, static_cast<float>(kZeroActivation));
  for (const LstmStep& at : steps) {
    for_each_vector(hidden, [&](auto vector, std::size_t k) HWY_ATTR {
      const Gates gates = activated(vector, hidden, k, at.input, at.recurrent);
      const FloatVector cell = next_cell(gates, vector.load(at.cell + k));
      const FloatVector output = hn::Mul(gates.o, tanh(cell));
      vector.store(cell, at.cell + k);
      if (at.output != nullptr) vector.store(output, at.output + k);
      if (at.quantised_output != nullptr) {
        const auto rounded = hn::NearestInt(hn::MulAdd(output, levels, middle));
        vector.store_bytes(hn::DemoteTo(bytes, rounded), bytes, at.quantised_output + k);
      }
    });
  }
}

void forward_step(std::size_t hidden, std::span<const LstmForwardStep> steps) {
  const FloatLanes d;
  for (const LstmForwardStep& at : steps) {
    for_each_vector(hidden, [&](auto vector, std::size_t k) HWY_ATTR {
      const Gates gates = activated(vector, hidden, k, at.gates, at.recurrent);
      const FloatVector previous =
          at.previous_cell == nullptr ? hn::Zero(d) : vector.load(at.previous_cell + k);
      const FloatVector cell = next_cell(gates, previous);
      const FloatVector tanh_cell = tanh(cell);
      vector.store(gates.i, at.gates + k);
      vector.store(gates.f, at.gates + hidden + k);
      vector.store(gates.g, at.gates + 2 * hidden + k);
      vector.store(gates.o, at.gates + 3 * hidden + k);
      vector.store(cell, at.cell + k);
      vector.store(tanh_cell, at.tanh_cell + k);
      vector.store(hn::Mul(gates.o, tanh_cell), at.output + k);
    });
  }
}

// x (1 - x), the derivative of the sigmoid whose value is x; 1 - x², that of the tanh.
HWY_INLINE FloatVector sigmoid_slope(FloatVector x) { return hn::NegMulAdd(x, x, x); }
HWY_INLINE FloatVector tanh_slope(FloatVector x) { return hn::NegMulAdd(x, x, hn::Set(FloatLanes(), 1.0F)); }

void backward_step(std::size_t hidden, std::span<const LstmBackwardStep> steps) {
  const FloatLanes d;
  for (const LstmBackwardStep& at : steps) {
    for_each_vector(hidden, [&](auto vector, std::size_t k) HWY_ATTR {
      FloatVector output_gradient = vector.load(at.output_gradient + k);
      if (at.recurrent_gradient != nullptr) {
        output_gradient = hn::Add(output_gradient, vector.load(at.recurrent_gradient + k));
      }
      const Gates gates = {vector.load(at.gates + k), vector.load(at.gates + hidden + k),
                           vector.load(at.gates + 2 * hidden + k), vector.load(at.gates + 3 * hidden + k)};
      const FloatVector tanh_cell = vector.load(at.tanh_cell + k);
      const FloatVector previous =
          at.previous_cell == nullptr ? hn::Zero(d) : vector.load(at.previous_cell + k);
      const FloatVector cell_gradient = hn::MulAdd(hn::Mul(output_gradient, gates.o), tanh_slope(tanh_cell),
                                                   vector.load(at.cell_gradient + k));
      vector.store(hn::Mul(hn::Mul(cell_gradient, gates.g), sigmoid_slope(gates.i)), at.gate_gradients + k);
      vector.store(hn::Mul(hn::Mul(cell_gradient, previous), sigmoid_slope(gates.f)),
                   at.gate_gradients + hidden + k);
      vector.store(hn::Mul(hn::Mul(cell_gradient, gates.i), tanh_slope(gates.g)),
                   at.gate_gradients + 2 * hidden + k);
      vector.store(hn::Mul(hn::Mul(output_gradient, tanh_cell), sigmoid_slope(gates.o)),
                   at.gate_gradients + 3 * hidden + k);
      vector.store(hn::Mul(cell_gradient, gates.f), at.cell_gradient + k);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(step);
HWY_EXPORT(forward_step);
HWY_EXPORT(backward_step);

void lstm_step(std::size_t hidden, std::span<const LstmStep> steps) {
  HWY_DYNAMIC_DISPATCH(step)(hidden, steps);
}

void lstm_forward_step(std::size_t hidden, std::span<const LstmForwardStep> steps) {
  HWY_DYNAMIC_DISPATCH(forward_step)(hidden, steps);
}

void lstm_backward_step(std::size_t hidden, std::span<const LstmBackwardStep> steps) {
  HWY_DYNAMIC_DISPATCH(backward_step)(hidden, steps);
}

}  // namespace copse
#endif
