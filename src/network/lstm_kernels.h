#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

// One step of LSTMs, element by element. With the pre-activations z of the four gates, which lie side by side
// in a row of 4 × hidden numbers in the order i, f, g, o:
//   c' = σ(z_f) c + σ(z_i) tanh(z_g)        h = σ(z_o) tanh(c')
// A result depends neither on the place of a number in its row nor on the other sequences of the batch; it is
// the same on all processors with fused multiply-adds.

// When parsing, for one sequence.
struct LstmStep {
  const float* input;              // what the input and the bias contribute to z: 4 × hidden
  const float* recurrent;          // what the previous h contributes; null if there is none yet
  float* cell;                     // c, replaced by c': hidden
  float* output;                   // h; may be null if only the next is wanted
  std::uint8_t* quantised_output;  // h as QuantisedRows::assign_bounded() would store it; may be null
};
void lstm_step(std::size_t hidden, std::span<const LstmStep> steps);

// In training: keeps what the backward step needs.
struct LstmForwardStep {
  float* gates;                // holds what the input and the bias contribute to z; replaced by the
                               // activated gates σ(z_i), σ(z_f), tanh(z_g), σ(z_o)
  const float* recurrent;      // null if there is no previous step
  const float* previous_cell;  // c; null if there is no previous step
  float* cell;                 // c'
  float* tanh_cell;            // tanh(c')
  float* output;               // h
};
void lstm_forward_step(std::size_t hidden, std::span<const LstmForwardStep> steps);

struct LstmBackwardStep {
  const float* output_gradient;     // d loss / d h, from the layer above
  const float* recurrent_gradient;  // the same from the next step; null if there is none
  const float* gates;               // activated, as lstm_forward_step() left them
  const float* tanh_cell;
  const float* previous_cell;  // null if there is no previous step
  float* cell_gradient;        // d loss / d c' from the next step; replaced by d loss / d c
  float* gate_gradients;       // result: d loss / d z; may be `gates`
};
void lstm_backward_step(std::size_t hidden, std::span<const LstmBackwardStep> steps);

}  // namespace copse
