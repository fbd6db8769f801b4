#pragma once

#include <array>

#include "network/back_end.h"
#include "network/dropout_plan.h"
#include "network/gradients.h"
#include "network/host_back_end.h"
#include "network/lstm.h"
#include "network/training_weights.h"
#include "vectors/word_vectors.h"

namespace copse {

// Floats on processors, with gradients: what networks learn with. See back_end.h.
class FloatBackEnd : public HostBackEnd {
 public:
  static constexpr bool kLearns = true;
  using Form = TrainingForm;
  using GradientForm = copse::GradientForm;
  using Activations = Values;
  using GivenVectors = const WordVectors*;
  using LstmMemory = Lstm;

  using HostBackEnd::upload;
  void upload(const WordVectors& from, GivenVectors& to) { to = &from; }
  void upload(std::span<const float> from, Matrix to) { std::copy(from.begin(), from.end(), to.data); }
  void finish(Activations&) {}

  using HostBackEnd::look_up;
  void look_up(const TrainingForm::Table& table, Numbers numbers, Matrix to, Into into) {
    look_up(table.rows, numbers, to, into);
  }
  void sum_up(ConstMatrix from, const Lists& lists, Matrix to);
  void sum_up(const TrainingForm::Table& table, const Lists& lists, Matrix to) {
    sum_up(table.rows, lists, to);
  }
  void read_vectors(GivenVectors vectors, SignedNumbers numbers, Activations& to);
  void multiply(const Activations& rows, const TrainingForm::Affine& affine, Matrix result);
  void lstm(const Sequences& sequences, const Activations& rows, const LstmWeights& weights, Lstm& memory,
            Activations& output);
  void lstm_to_end(const Sequences& sequences, const Activations& rows, const LstmWeights& weights,
                   Lstm& memory, Matrix ends);

  void copy(const Values& from, Values& to) { to = from; }
  void draw_factors(const DropoutSite& site, Values& factors);
  void multiply_sequences(const Sequences& sequences, const Values& factors, Matrix rows);
  void multiply_groups(const Values& factors, std::span<const Columns> groups, Matrix rows);
  void look_up_backward(Numbers numbers, ConstMatrix gradient, const GradientForm::Table& table);
  void sum_up_backward(const Lists& lists, ConstMatrix gradient, const GradientForm::Table& table);
  void multiply_backward(const Activations& rows, ConstMatrix gradient, const TrainingForm::Affine& affine,
                         const GradientForm::Affine& affine_gradient);
  void multiply_backward(const Activations& rows, ConstMatrix gradient, const TrainingForm::Affine& affine,
                         const GradientForm::Affine& affine_gradient, Matrix row_gradient);
  void leaky_relu_backward(ConstMatrix results, Matrix gradient) {
    copse::leaky_relu_backward(results, gradient);
  }
  void lstm_backward(const Sequences& sequences, const Activations& rows, const Activations& output,
                     ConstMatrix gradient, const LstmWeights& weights, const LstmGradients& lstm_gradient,
                     Lstm& memory, Matrix row_gradient);
  void lstm_to_end_backward(const Sequences& sequences, const Activations& rows, ConstMatrix gradient,
                            const LstmWeights& weights, const LstmGradients& lstm_gradient, Lstm& memory,
                            Matrix row_gradient);
};

}  // namespace copse
