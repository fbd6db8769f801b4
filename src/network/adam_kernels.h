#pragma once

#include <span>

namespace copse {

// One step of Adam (Kingma and Ba 2015) for weights w with gradient g, first and second moments m and v:
//   m = β₁ m + (1 - β₁) g     v = β₂ v + (1 - β₂) g²
//   w = w - rate (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε)
// after w = w (1 - rate · weight decay), and of the running average of the weights, a = d a + (1 - d) w.
struct AdamStep {
  float rate = 0.002F;
  float beta1 = 0.9F;
  float beta2 = 0.9F;
  float epsilon = 1e-12F;
  float gradient_scale = 1.0F;     // g is the gradient given times this: the clipping of its norm
  float first_correction = 1.0F;   // 1 / (1 - β₁ᵗ)
  float second_correction = 1.0F;  // 1 / (1 - β₂ᵗ)
  float average_decay = 0.998F;
  // Of the weights themselves, in each step times the rate (Loshchilov and Hutter 2019).
  float weight_decay = 0.0F;

  // Sets both corrections for the t-th step, from 1 on.
  void set_time(long t);
};

// What belongs to some weights. All of the same length; `average` may be empty: no average then.
struct AdamState {
  std::span<float> weights;
  std::span<const float> gradient;
  std::span<float> first_moments;
  std::span<float> second_moments;
  std::span<float> average;
};

// Every weight is by itself: any division into pieces gives the same numbers.
void adam_update(const AdamState& state, const AdamStep& step);

}  // namespace copse
