#pragma once

#include "network/back_end.h"
#include "network/dropout.h"

namespace copse {

// A layer of the encoder: an LSTM in both directions, and dropout of what comes out.
template <class BackEnd>
class LstmLayer {
 public:
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;
  using Sequences = typename BackEnd::Sequences;

  void forward(BackEnd& on, const Sequences& sequences, Activations& input,
               const typename BackEnd::Form::Lstm& weights, const DropoutSite& site) {
    on.lstm(sequences, input, weights, memory_, output_);
    if constexpr (BackEnd::kLearns) {
      dropout_.draw(on, site);
      if (!dropout_.drops()) return;
      on.copy(output_, dropped_);
      dropout_.apply(on, sequences, dropped_.all());
    }
  }
  // Of the last forward(), after dropout.
  Activations& output() { return dropout_.drops() ? dropped_ : output_; }
  // Of the last forward(); changes the gradient.
  void backward(BackEnd& on, const Sequences& sequences, Activations& input, Matrix gradient,
                const typename BackEnd::Form::Lstm& weights,
                const typename BackEnd::GradientForm::Lstm& weight_gradient, Matrix input_gradient) {
    dropout_.apply(on, sequences, gradient);
    on.lstm_backward(sequences, input, output_, gradient, weights, weight_gradient, memory_, input_gradient);
  }

 private:
  typename BackEnd::LstmMemory memory_;
  Activations output_;  // as it came out
  Activations dropped_;
  Dropout<BackEnd> dropout_;
};

}  // namespace copse
