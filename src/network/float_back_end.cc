#include "network/float_back_end.h"

namespace copse {

void FloatBackEnd::sum_up(ConstMatrix from, const Lists& lists, Matrix to) {
  for (std::size_t row = 0; row < to.rows; ++row) {
    const std::span<float> sum(to.row(row), to.columns);
    std::fill(sum.begin(), sum.end(), 0.0F);
    for (std::uint32_t k = lists.begins[row]; k < lists.begins[row + 1]; ++k) {
      add_scaled({from.row(lists.values[k]), to.columns}, 1.0F, sum);
    }
  }
}

void FloatBackEnd::read_vectors(GivenVectors vectors, SignedNumbers numbers, Activations& to) {
  const Matrix rows = to.resize(numbers.size(), vectors->dimension());
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (numbers[row] < 0) {
      std::fill_n(rows.row(row), rows.columns, 0.0F);
    } else {
      vectors->copy_row(static_cast<std::size_t>(numbers[row]), {rows.row(row), rows.columns});
    }
  }
}

void FloatBackEnd::multiply(const Activations& rows, const TrainingForm::Affine& affine, Matrix result) {
  affine.weights.multiply(rows.all(), result);
  add_to_rows(affine.bias, result);
}

void FloatBackEnd::lstm(const Sequences& sequences, const Activations& rows, const LstmWeights& weights,
                        Lstm& memory, Activations& output) {
  memory.forward(sequences.host(), rows.all(), weights,
                 output.resize(sequences.host().rows(), 2 * weights.recurrent[0].rows()));
}

void FloatBackEnd::lstm_to_end(const Sequences& sequences, const Activations& rows,
                               const LstmWeights& weights, Lstm& memory, Matrix ends) {
  memory.forward_to_end(sequences.host(), rows.all(), weights, ends);
}

void FloatBackEnd::draw_factors(const DropoutSite& site, Values& factors) {
  const Matrix all = factors.resize(site.states.size(), site.columns);
  const float kept = 1.0F / (1.0F - site.rate);
  for (std::size_t sequence = 0; sequence < all.rows; ++sequence) {
    for (std::size_t column = 0; column < all.columns; ++column) {
      const bool is_dropped = Random::uniform_at(site.states[sequence], column) < site.rate;
      all.row(sequence)[column] = is_dropped ? 0.0F : kept;
    }
  }
}

void FloatBackEnd::multiply_sequences(const Sequences& sequences, const Values& factors, Matrix rows) {
  const copse::Sequences& host = sequences.host();
  for (std::size_t s = 0; s < host.count(); ++s) {
    multiply_rows({factors.all().row(s), rows.columns},
                  Matrix(rows.row(host.begin(s)), host.length(s), rows.columns, rows.stride));
  }
}

void FloatBackEnd::multiply_groups(const Values& factors, std::span<const Columns> groups, Matrix rows) {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      scale({rows.row(row) + groups[g].begin, groups[g].size}, factors.all().row(row)[g]);
    }
  }
}

void FloatBackEnd::look_up_backward(Numbers numbers, ConstMatrix gradient, const GradientForm::Table& table) {
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    add_scaled({gradient.row(row), gradient.columns}, 1.0F, table.row(numbers[row]));
  }
}

void FloatBackEnd::sum_up_backward(const Lists& lists, ConstMatrix gradient,
                                   const GradientForm::Table& table) {
  for (std::size_t row = 0; row < gradient.rows; ++row) {
    for (std::uint32_t k = lists.begins[row]; k < lists.begins[row + 1]; ++k) {
      add_scaled({gradient.row(row), gradient.columns}, 1.0F, table.row(lists.values[k]));
    }
  }
}

void FloatBackEnd::multiply_backward(const Activations& rows, ConstMatrix gradient,
                                     const TrainingForm::Affine& affine,
                                     const GradientForm::Affine& affine_gradient) {
  affine.weights.differentiate_weights(rows.all(), gradient, affine_gradient.weights);
  add_rows_to(gradient, affine_gradient.bias);
}

void FloatBackEnd::multiply_backward(const Activations& rows, ConstMatrix gradient,
                                     const TrainingForm::Affine& affine,
                                     const GradientForm::Affine& affine_gradient, Matrix row_gradient) {
  multiply_backward(rows, gradient, affine, affine_gradient);
  affine.weights.differentiate_rows(gradient, row_gradient);
}

void FloatBackEnd::lstm_backward(const Sequences& sequences, const Activations& rows,
                                 const Activations& output, ConstMatrix gradient, const LstmWeights& weights,
                                 const LstmGradients& lstm_gradient, Lstm& memory, Matrix row_gradient) {
  memory.backward(sequences.host(), rows.all(), output.all(), gradient, weights, lstm_gradient, row_gradient);
}

void FloatBackEnd::lstm_to_end_backward(const Sequences& sequences, const Activations& rows,
                                        ConstMatrix gradient, const LstmWeights& weights,
                                        const LstmGradients& lstm_gradient, Lstm& memory,
                                        Matrix row_gradient) {
  memory.backward_from_end(sequences.host(), rows.all(), gradient, weights, lstm_gradient, row_gradient);
}

}  // namespace copse
